import { readFile } from 'node:fs/promises'
import {
  discardImport,
  getImport,
  type Import,
  type ImportSummary,
  listImportRows,
  startImport,
  uploadImport,
} from '@reelmark/contract/imports.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { importMax } from '@reelmark/contract/protocol/limits.ts'
import type { Command } from '../command.ts'
import { CommandError, usageError } from '../failures.ts'
import { fetchTransport, type Site } from '../site.ts'
import { countOf, printable } from '../terminal.ts'
import { waitForTransfer } from '../wait-for-transfer.ts'

export const importCommand: Command = {
  usage: 'FILE [options]',
  summary: 'import a file of bookmarks',
  help: `Reads exports of Reelmark, browsers, YouTube and the other services that the site supports. Existing bookmarks are
not changed. The command waits until the import is complete.

  --dry-run          only print what the file contains
  --plain-links      also import links that are not known to be videos
  --history          also add watched videos to your history; those of a Reelmark export always are
  --no-folders       import everything into one collection
  --public           make bookmarks public if the file doesn't say whether they are`,
  options: {
    'dry-run': { type: 'boolean' },
    'plain-links': { type: 'boolean' },
    history: { type: 'boolean' },
    'no-folders': { type: 'boolean' },
    public: { type: 'boolean' },
  },
  run: async (context, { positionals, values }) => {
    const [file, ...others] = positionals
    if (file === undefined || others.length > 0) throw usageError('Name one file.')
    const content = await readBytes(file)
    const site = await context.openSite()
    const uploaded = await upload(site, content)
    const params = { id: uploaded.id }
    if (values['dry-run']) {
      await site.call(discardImport, { params })
      context.print(
        uploaded.summary,
        uploaded.summary === null ? '' : describeSummary(uploaded, uploaded.summary),
      )
      return true
    }
    const options = {
      plain_links: values['plain-links'] === true,
      folders: values['no-folders'] !== true,
      ...(values.history === true && { history: true }),
      access: values.public === true ? ('public' as const) : ('private' as const),
    }
    const started = await site.call(startImport, { params, body: options })
    const result = await waitForTransfer(context, started, () => site.call(getImport, { params }))
    context.print(result, describeResult(result))
    if (result.state === 'failed') context.note(`The import failed after ${countOf(result.done, 'item')}.`)
    if (result.outcomes.rejected > 0) {
      const query = { outcome: 'rejected' as const, page_size: 20 }
      const { results } = await site.call(listImportRows, { params, query })
      for (const { what, reason } of results) context.note(`  ${printable(what)}: ${printable(reason)}`)
    }
    return result.state === 'done' && result.outcomes.rejected === 0
  },
}

/** Uploads a file of any format. The site recognises it and imports nothing yet. */
function upload({ address, token }: Site, content: Blob): Promise<Import> {
  const transport = fetchTransport(address, token)
  return call(
    (request) =>
      transport({
        ...request,
        headers: { ...request.headers, 'content-type': 'application/octet-stream' },
        body: content,
      }),
    uploadImport,
    {} as never,
  )
}

async function readBytes(file: string): Promise<Blob> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CommandError(`Couldn't read ${file}: ${error.message}`)
  })
  if (bytes.length > importMax)
    throw new CommandError(`${file} is larger than ${importMax / 1024 / 1024} MB.`)
  return new Blob([bytes])
}

function describeSummary(
  { format }: Import,
  { videos, plain_links, in_vault, rejected }: ImportSummary,
): string {
  return `${printable(format)}: ${countOf(videos, 'video')}, ${countOf(plain_links, 'other link')}, ${in_vault} of them already saved, ${rejected} cannot be imported.`
}

function describeResult({ outcomes, imported_videos }: Import): string {
  const { new: added, changed, held, known, skipped, rejected } = outcomes
  const others = added + changed + held - imported_videos
  return `Imported ${countOf(imported_videos, 'video')}${others === 0 ? '' : ` and ${countOf(others, 'other item')}`}, ${known} already existed, ${skipped} skipped, ${rejected} failed.`
}
