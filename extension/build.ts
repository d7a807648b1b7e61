/**
 * Builds the extension: a folder and a zip file for each browser. They differ in their manifest only.
 * `node build.ts [folder]`; by default the folder is `dist`.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { smallIconsPlugin } from '@reelmark/web/build/small-icons-plugin.ts'
import { stripSchemasPlugin } from '@reelmark/web/build/strip-schemas-plugin.ts'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { zipSync } from 'fflate'
import sharp from 'sharp'
import { build } from 'vite'
import { browserNames, createManifest, iconFile, iconSizes } from './manifest.ts'

const root = import.meta.dirname
const logo = join(root, '../web/public/favicon.svg')

/** Builds the pages and the background script, which are the same for all browsers, with the icons. */
async function buildFiles(folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), stripSchemasPlugin(), smallIconsPlugin(), tailwindcss()],
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: ['chrome123', 'firefox128', 'safari17.5'],
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: {
          popup: join(root, 'popup.html'),
          options: join(root, 'options.html'),
          tabs: join(root, 'tabs.html'),
          background: join(root, 'background/background.ts'),
        },
        output: { entryFileNames: '[name].js' },
      },
    },
  })
  for (const size of iconSizes) {
    const picture = sharp(logo, { density: (72 * size) / 28 }).resize(size, size)
    await picture.png().toFile(join(folder, iconFile(size)))
  }
}

/** Returns the files of a folder and its subfolders by their paths in it, in a stable order. */
async function readFiles(folder: string): Promise<Record<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files: Record<string, Uint8Array> = {}
  for (const path of paths.sort())
    files[path.slice(folder.length + 1).replaceAll('\\', '/')] = await readFile(path)
  return files
}

async function main(target: string): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, '../package.json'), 'utf8')) as { version: string }
  const shared = join(target, 'shared')
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  await buildFiles(shared)
  for (const name of browserNames) {
    const folder = join(target, name)
    await cp(shared, folder, { recursive: true })
    await writeFile(
      join(folder, 'manifest.json'),
      `${JSON.stringify(createManifest(name, version), null, 2)}\n`,
    )
    // The same input gives the same bytes.
    const zip = zipSync(await readFiles(folder), { mtime: new Date(1980, 0, 1) })
    await writeFile(join(target, `reelmark-${name}-${version}.zip`), zip)
  }
  await rm(shared, { recursive: true })
}

await main(resolve(process.argv[2] ?? join(root, 'dist')))
