import { defineConfig } from 'vite'
import { stripSchemasPlugin } from '../web/build/strip-schemas-plugin.ts'

/** `vite build cli` creates dist/reelmark.js: one file for Node 20 and later, without the schemas of the contract. */
export default defineConfig({
  root: import.meta.dirname,
  // The web needs it for the browser only.
  plugins: [{ ...stripSchemasPlugin(), applyToEnvironment: () => true }],
  ssr: { noExternal: true },
  build: {
    ssr: 'main.ts',
    target: 'node20',
    outDir: 'dist',
    rolldownOptions: { output: { entryFileNames: 'reelmark.js', codeSplitting: false } },
  },
})
