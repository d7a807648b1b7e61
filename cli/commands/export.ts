import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { CallError, endpointUrl } from '@reelmark/contract/protocol/call.ts'
import {
  downloadExport,
  type ExportSource,
  exportFormats,
  getExport,
  startExport,
} from '@reelmark/contract/transfer.ts'
import type { Command, Terminal } from '../command.ts'
import { findDestination } from '../destination.ts'
import { CommandError, usageError } from '../failures.ts'
import { fetchFrom, type Site } from '../site.ts'
import { waitForTransfer } from '../wait-for-transfer.ts'

export const exportCommand: Command = {
  usage: '[options]',
  summary: 'export your bookmarks to a file or to standard output',
  help: `  --format FORMAT    json (default): everything, can be imported again; html: for browsers; csv: for spreadsheets
  --collection NAME  only this collection, by name or id; with html and csv
  --pictures         a zip file with the pictures of the bookmarks
  -o, --output FILE  the file (default: standard output)`,
  options: {
    format: { type: 'string' },
    collection: { type: 'string' },
    pictures: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
  },
  run: async (context, { positionals, values }) => {
    const { format = 'json', collection, output } = values as Record<string, string | undefined>
    const pictures = values.pictures === true
    if (positionals.length > 0) throw usageError('Name the file with -o.')
    if (!isFormat(format)) throw usageError(`--format must be one of ${exportFormats.join(', ')}.`)
    if (collection !== undefined && format === 'json') {
      throw usageError('A JSON file contains everything. Choose --format html or csv for a collection.')
    }
    const site = await context.openSite()
    const { collection: found } = await findDestination(site, { collection })
    const query: ExportSource = { format, pictures, ...(found !== null && { collection: found.id }) }
    const started = await site.call(startExport, { query })
    const params = { id: started.id }
    const finished = await waitForTransfer(context, started, () => site.call(getExport, { params }))
    if (finished.state === 'failed') throw new CommandError('The export failed. Try again later.')
    await download(site, started.id, output, context.terminal)
    // Standard output contains the export itself.
    if (output === undefined) return true
    context.print({ file: output, format, size: finished.size }, `Exported to ${output}`)
    return true
  },
}

function isFormat(text: string): text is (typeof exportFormats)[number] {
  return (exportFormats as readonly string[]).includes(text)
}

async function download({ address, token }: Site, id: number, file: string | undefined, terminal: Terminal) {
  const url = endpointUrl(downloadExport, { id })
  const response = await fetchFrom(address, url, token, { method: 'GET' })
  if (!response.ok || response.body === null) {
    throw new CallError(response.status, await response.json().catch(() => null))
  }
  const content = Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
  if (file === undefined) return pipeline(content, terminal.stdout, { end: false })
  const unfinished = `${file}.part`
  try {
    // An export contains private bookmarks and notes. A new file, because the mode applies only to new ones.
    await rm(unfinished, { force: true })
    await pipeline(content, createWriteStream(unfinished, { mode: 0o600, flags: 'wx' }))
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw new CommandError(`Couldn't write ${file}: ${(error as Error).message}`)
  }
}
