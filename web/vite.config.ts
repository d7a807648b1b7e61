import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { callsOnly } from './calls-only.ts'
import { firstPages } from './first-pages.ts'
import { iconsByFile } from './icons-by-file.ts'
import { limitsInlined } from './limits-inlined.ts'
import { precompress } from './precompress.ts'

const accountPages =
  /\/web\/(?:features\/accounts\/|ui\/password-input\.tsx)|\/contract\/(?:identities|passkeys|second-factor|account-settings)\.ts/
/** Parts of the accounts' folder that other pages have, too: guards, and heads, which the list of routes holds. */
const guardsAndHeads = /\/accounts\/(?:require-session|redirect-search|reset-head)\.ts/

/** What the sections of Settings share, and a few pages with them, is in files of its own. */
const settings =
  /\/web\/(?:features\/settings\/(?!section-head|problem-text)|ui\/copy-button\.tsx)|\/contract\/(?:access-tokens|transfer)\.ts/

/** Comes when it is opened, with what is pressed in it. */
const dialog = /\/web\/ui\/(?:dialog|switch)\.tsx/

/** What is done with a bookmark, from its page and from its card: comes with those, when one is near. */
const deeds =
  /\/web\/(?:wanted\.ts|ui\/clipboard\.ts|features\/(?:likes|watching)\/use-|features\/bookmarks\/share\.ts)|\/contract\/(?:likes|collecting)\.ts/

/** Where a bookmark is put: for the form that adds one, and the dialogs that ask for a place. */
const places = /\/web\/features\/saving\//

/** Our own code, and the icons. */
const ours = /\/(?:web|contract|lucide-react)\//
const first = firstPages()

function isOfAccountPages(id: string): boolean {
  return accountPages.test(id) && !guardsAndHeads.test(id)
}

/** `vite build web` makes both halves: dist/client for browsers, dist/server for the Fastify process. */
export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // By default a pendingComponent, and the page that its module holds, would come with every other page.
      codeSplittingOptions: {
        defaultBehavior: [['component', 'pendingComponent'], ['errorComponent'], ['notFoundComponent']],
      },
      routesDirectory: './routes',
      generatedRouteTree: './route-tree.gen.ts',
      addExtensions: true,
      quoteStyle: 'single',
      disableLogging: true,
      routeFileIgnorePattern: String.raw`\.test\.tsx?$`,
    }),
    react(),
    limitsInlined(),
    callsOnly(),
    tailwindcss(),
    iconsByFile(),
    first.plugin,
    precompress(),
  ],
  build: {
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // A data: URL in a stylesheet would need its own permission in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // What is loaded later names what comes with it, but neither itself nor what every page has by then.
      resolveDependencies: (file, needed) =>
        needed.filter(
          (each) => each !== file && !/\/(?:entry-client|libraries|rolldown-runtime)-/.test(each),
        ),
    },
  },
  // React has had this hook since 18; the shim brings one for older ones.
  resolve: {
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        manifest: true,
        rolldownOptions: {
          input: 'entry-client.tsx',
          output: {
            // Fewer, larger files compress better, and the libraries stay cached when only our own code changes.
            codeSplitting: {
              groups: [
                {
                  name: 'libraries',
                  priority: 9,
                  // With what loads a part later: every page has that, whichever part uses it first.
                  test: /vite\/preload-helper|node_modules\/(?:react|react-dom|scheduler|@tanstack|use-sync-external-store|seroval)\//,
                },
                ...first.groups(ours),
                // By itself, or it would bring the account pages' file to the menu of every page.
                { name: 'dialog', test: dialog, minShareCount: 2 },
                { name: 'deeds', test: deeds, minShareCount: 2 },
                { name: 'places', test: places, minShareCount: 2 },
                // What the pages share on which one comes in, and no other page needs.
                { name: 'accounts', test: isOfAccountPages, minShareCount: 2 },
                { name: 'settings-sections', test: settings, minShareCount: 2 },
                // What dialogs and forms are made of.
                { name: 'later', test: ours, minShareCount: 3 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // One file with React's production build inside: nothing to resolve at start, and NODE_ENV cannot change it.
      ...(command === 'build'
        ? { resolve: { noExternal: true }, define: { 'process.env.NODE_ENV': '"production"' } }
        : {}),
      build: {
        outDir: 'dist/server',
        ssr: true,
        copyPublicDir: false,
        rolldownOptions: { input: 'entry-server.tsx' },
      },
    },
  },
}))
