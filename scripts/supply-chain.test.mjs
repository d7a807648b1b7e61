import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findAdvisories } from './advisories.mjs'
import { root } from './processes.mjs'

const packages = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

test('no install script of a package runs', async () => {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'ignore-scripts'], { cwd: root })
  expect(stdout.trim()).toBe('true')
})

test('every package is pinned to one version with its hash', () => {
  const unpinned = Object.entries(packages)
    .filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
    .filter(
      ([, { version, integrity, inBundle }]) => !inBundle && !(version && integrity?.startsWith('sha512-')),
    )
  expect(unpinned.map(([path]) => path)).toEqual([])
})

test('the SBOM lists every installed package, with its version and hash', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  })
  const { bomFormat, components } = JSON.parse(stdout)
  expect(bomFormat).toBe('CycloneDX')
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  // All of them: npm leaves out packages of production that development uses too if it omits those of development.
  const installed = Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link && existsSync(join(root, path)))
    .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`)
  expect(installed.length).toBeGreaterThan(100)
  expect(installed.filter((entry) => !listed.has(entry))).toEqual([])
  for (const name of ['fastify', 'pg', 'nodemailer', 'sharp', 'react']) {
    const component = components.find((candidate) => candidate.name === name)
    expect(component?.hashes?.[0]?.alg, name).toBe('SHA-512')
  }
})

/** Starts a registry that knows one vulnerability, and runs the check with the real npm against it. */
async function checkWithRegistry(advisories, status = 200) {
  const asked = []
  const registry = createServer(async (request, reply) => {
    const chunks = await request.toArray()
    if (request.method === 'GET') {
      const name = decodeURIComponent(request.url.slice(1))
      const version = packages[`node_modules/${name}`]?.version
      reply.statusCode = version === undefined ? 404 : 200
      const versions = { [version]: { name, version } }
      reply.end(JSON.stringify({ name, versions, 'dist-tags': { latest: version } }))
      return
    }
    const body = Buffer.concat(chunks)
    const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    asked.push(...Object.keys(JSON.parse(text.toString())))
    reply.statusCode = status
    reply.end(JSON.stringify(advisories))
  })
  await new Promise((listening) => registry.listen(0, '127.0.0.1', listening))
  const npm_config_registry = `http://127.0.0.1:${registry.address().port}/`
  try {
    const result = await findAdvisories({
      ...process.env,
      npm_config_registry,
      npm_config_fetch_retries: '0',
    })
    return { ...result, asked }
  } finally {
    registry.closeAllConnections()
    registry.close()
  }
}

test('a known vulnerability of an installed package is reported', async () => {
  const advisory = {
    id: 1,
    url: 'https://advisories.example/1',
    title: 'Requests are mixed up',
    severity: 'high',
    vulnerable_versions: '>=1.0.0',
    cwe: [],
    cvss: { score: 8, vectorString: null },
  }
  const { lines, asked } = await checkWithRegistry({ fastify: [advisory] })
  expect(lines?.find((line) => line.includes('fastify'))).toMatch(
    /^high: fastify .*: Requests are mixed up \(https:\/\/advisories\.example\/1\)$/,
  )
  expect(asked).toEqual(expect.arrayContaining(['fastify', 'pg', 'vite']))
})

test('no known vulnerability is an empty report', async () => {
  expect((await checkWithRegistry({})).lines).toEqual([])
})

test('a service that cannot be asked is reported as such, and not as a result', async () => {
  expect(await checkWithRegistry({}, 405)).toMatchObject({
    lines: null,
    reason: expect.stringContaining('405'),
  })
})
