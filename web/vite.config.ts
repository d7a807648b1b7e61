import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './build/precompress.ts'
import { recordChunkModules } from './build/record-chunk-modules.ts'
import { sharedChunksPlugin } from './build/shared-chunks-plugin.ts'
import { smallIconsPlugin } from './build/small-icons-plugin.ts'
import { smallReactPlugin } from './build/small-react-plugin.ts'
import { splitModulesPlugin } from './build/split-modules-plugin.ts'
import { stripSchemasPlugin } from './build/strip-schemas-plugin.ts'

const authModules =
  /\/web\/(?:features\/auth\/(?!.*(?:settings-panel|settings-queries|delete-account-group|authenticator-setup|recovery-codes-(?:panel|dialog)|passkey-dialogs|new-token-dialog|token-example|device-name)\.tsx?)|shared\/(?:pages\/account-page|forms\/(?:new-password-input|form-errors)|errors\/api-error|hooks\/use-autofocus|session\/(?:reauth|webauthn|security-path))|ui\/password-input\.tsx)|\/contract\/(?:identities|passkeys|second-factor|account-settings)\.ts/
/**
 * Modules of the auth folder that other pages also load: search parameters, and page heads, which the route tree
 * contains.
 */
const authGuardModules = /\/auth\/(?:accounts\/redirect-search|passwords\/reset-page-head)\.ts/

/** Modules that the sections of Settings share; a few other pages load them, too. */
const settingsModules =
  /\/web\/(?:features\/(?:settings\/(?!settings-head)|transfer\/|auth\/.*(?:settings-panel|settings-queries|delete-account-group|authenticator-setup|recovery-codes-(?:panel|dialog)|passkey-dialogs|new-token-dialog|token-example|device-name)\.tsx?|notifications\/(?:settings-panel|use-notification-choices)|videos\/watching\/settings-panel)|shared\/(?:pages\/settings-(?:panel|list)|forms\/(?:confirm-removal-dialog|secret-dialog|checkbox-group)|api\/save-file)|ui\/format-bytes\.ts)|\/contract\/(?:access-tokens|transfer)\.ts/

/** Modules of dialogs and lists of choices, loaded when one is first opened. */
const dialogModules = /\/web\/ui\/(?:code-box|copy-button|dialog|switch|list-box)\.tsx/

/** Modules of the actions on a bookmark, shared by its page and its cards. */
const bookmarkActionModules =
  /\/web\/(?:shared\/hooks\/use-optimistic-toggle\.ts|features\/videos\/(?:likes|watching|player)\/use-)|\/contract\/(?:likes|collect)\.ts/

/** Modules for choosing a destination, shared by the form to add a bookmark and dialogs. */
const destinationModules = /\/web\/features\/bookmarks\/(?:add-bookmark|destination)\//

/** The files of pages that few visits reach, most of them in the middle of a visit. */
const rarePages =
  /\/(?:settings|moderator|styleguide|unlisted|confirm-email|connect|reset-password|forgot-password|unsubscribe|setup|welcome|careers|contact|privacy|terms|transparency)[._-]/

/** Our own code and the icons. */
const appModules = /\/(?:web|contract|lucide-react)\//
const sharedChunks = sharedChunksPlugin()

function isAuthPageModule(id: string): boolean {
  return authModules.test(id) && !authGuardModules.test(id)
}

/** `vite build web` creates dist/client for browsers and dist/server for the Fastify process. */
export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // By default, loaders would be loaded with every page, and so would a pendingComponent and the page in its module.
      codeSplittingOptions: {
        defaultBehavior: [
          ['loader', 'component', 'pendingComponent'],
          ['errorComponent'],
          ['notFoundComponent'],
        ],
      },
      routesDirectory: './routes',
      generatedRouteTree: './route-tree.gen.ts',
      addExtensions: true,
      quoteStyle: 'single',
      disableLogging: true,
      routeFileIgnorePattern: String.raw`\.test\.tsx?$`,
    }),
    react(),
    splitModulesPlugin(),
    stripSchemasPlugin(),
    smallIconsPlugin(),
    smallReactPlugin(),
    tailwindcss(),
    sharedChunks.plugin,
    precompress(),
    recordChunkModules(),
  ],
  build: {
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // A data: URL in a stylesheet would need its own permission in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Lazy modules preload their dependencies, but neither themselves nor files that every page has already loaded.
      // Those of rare pages do not, because every page would contain the list.
      resolveDependencies: (file, needed) =>
        rarePages.test(file)
          ? []
          : needed.filter(
              (dependency) =>
                dependency !== file && !/\/(?:entry-client|libraries|rolldown-runtime)-/.test(dependency),
            ),
    },
  },
  // React has this hook since version 18. The shim would add one for older versions.
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
          input: { 'entry-client': 'ssr/entry-client.tsx' },
          // Constants such as limits take less room where they are used than as exports of another file.
          optimization: { inlineConst: { mode: 'all' } },
          output: {
            // Short hashes, because the entry script contains the name of every file.
            chunkFileNames: 'assets/[name]-[hash:7].js',
            // Fewer, larger files compress better, and the libraries stay cached when only our own code changes.
            codeSplitting: {
              groups: [
                {
                  name: 'libraries',
                  priority: 9,
                  // Includes the preload helper, which every page has. Otherwise it would be in the file of the part
                  // that uses it first.
                  test: /vite\/preload-helper|node_modules\/(?:react|react-dom|scheduler|@tanstack|use-sync-external-store|seroval)\//,
                },
                ...sharedChunks.groups(appModules),
                // Its own file. Otherwise the menu of every page would load the file of the account pages.
                { name: 'dialog', test: dialogModules, minShareCount: 2 },
                { name: 'bookmark-actions', test: bookmarkActionModules, minShareCount: 2 },
                { name: 'destination', test: destinationModules, minShareCount: 2 },
                // Parts of the tools of lists and of the search. Otherwise every list would load the files of dialogs and of Settings.
                {
                  name: 'list-tools',
                  test: /\/web\/(?:shared\/feeds|ui\/format-date|features\/listing\/search\/(?:filters|queries))|\/contract\/search-terms\.ts/,
                  minShareCount: 2,
                },
                {
                  // The search field, order, filters and chips of lists, which would otherwise load the files of dialogs.
                  name: 'filter-tools',
                  test: /\/web\/features\/listing\/search\/(?:list-tools|filter-)/,
                  minShareCount: 2,
                },
                // Modules that only the sign-in and registration pages share.
                { name: 'auth', test: isAuthPageModule, minShareCount: 2 },
                { name: 'settings-sections', test: settingsModules, minShareCount: 2 },
                // Modules that dialogs and forms share.
                { name: 'deferred', test: appModules, minShareCount: 3 },
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
        rolldownOptions: { input: { 'entry-server': 'ssr/entry-server.tsx' } },
      },
    },
  },
}))
