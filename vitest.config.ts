import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { storeTemporaryFilesInMemory } from './server/testing/memory-folder.ts'

if (Number(process.versions.node.split('.')[0]) < 26) {
  throw new Error('The tests run under Node 26: use "npm test" (or "npm test -- server/core" for a part).')
}

storeTemporaryFilesInMemory()

// Each worker would compile the same packages again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache/compiled')

const node = {
  environment: 'node',
  setupFiles: ['server/testing/quiet-console.ts', 'server/testing/timeouts.ts'],
}

const server = {
  ...node,
  setupFiles: [...node.setupFiles, 'server/testing/cheap-hashes.ts'],
  globalSetup: ['server/testing/global-setup.ts'],
  // Loading the server takes longer than the tests of most files.
  isolate: false,
}

/**
 * Tests with heavy load, large collections of hostile input, or processes that are killed. They take as long as all
 * others together, so only `npm run test:full` runs them.
 */
const heavyTests = [
  'server/crash-and-retry.test.ts',
  'server/event-loop.test.ts',
  'server/hostile-texts.test.ts',
  'server/malformed-requests.test.ts',
  'server/malicious-input.test.ts',
  'server/refused-before-body.test.ts',
  'server/regexes.test.ts',
  'server/replica.test.ts',
  'server/supervisor.test.ts',
  'server/core/tls-connections.test.ts',
  'server/core/auth/login-flood.test.ts',
  'server/core/embedded-postgres/**/*.test.ts',
  'server/core/media/perceptual-hash.test.ts',
  'server/core/outbound/malicious-sites.test.ts',
  'server/features/**/concurrent-*.test.ts',
  'server/features/auth/identities/malicious-provider.test.ts',
  'server/features/auth/second-factor/code-throttle.test.ts',
  'server/features/comments/long-threads.test.ts',
  'server/features/transfer/rejected-uploads.test.ts',
  'server/features/transfer/formats/hostile-files.test.ts',
  'server/features/transfer/formats/large-files.test.ts',
]

export default defineConfig({
  test: {
    // One more than the cores of a small machine, because tests also wait for PostgreSQL. Five took 10 % longer.
    maxWorkers: 3,
    tags: [
      {
        name: 'heavy',
        description:
          'Load, corpora of hostile input, and thousands of rows. Like the files in `heavyTests`, only for `npm run test:full`.',
      },
    ],
    // Long, because a busy machine is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Instead of one second.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        test: {
          ...server,
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...heavyTests],
        },
      },
      { test: { ...server, name: 'server-heavy', include: heavyTests } },
      { test: { ...node, name: 'contract', include: ['contract/**/*.test.ts'] } },
      { test: { ...node, name: 'cli', include: ['cli/**/*.test.ts'] } },
      { test: { ...node, name: 'scripts', include: ['scripts/**/*.test.mjs'] } },
      {
        // Not web/vite.config.ts: components need none of its plugins, and JSX comes of web/tsconfig.json.
        root: 'web',
        test: {
          name: 'web',
          environment: 'jsdom',
          // Threads start a third sooner than processes, and each file has one of its own.
          pool: 'threads',
          include: ['**/*.test.{ts,tsx}'],
          // Four fifths of the time went into loading React and jsdom again: the files of a worker share them.
          isolate: false,
          setupFiles: [
            'testing/setup.ts',
            '../server/testing/quiet-console.ts',
            '../server/testing/timeouts.ts',
            'testing/timeouts.ts',
          ],
        },
      },
    ],
  },
})
