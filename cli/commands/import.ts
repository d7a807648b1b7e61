import { readFile } from 'node:fs/promises'
import {
  discardImport,
  getImport,
  type Import,
  type ImportRow,
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
not changed. The command waits until the import is complete. It can be undone in Settings, Data.

  --plain-links   also import links that are not known to be videos
  --no-folders    put everything into one collection
  --public        make public what the file does not mark as private
  --check         only show what the file contains
`,
  options: {
    'plain-links': { type: 'boolean' },
    'no-folders': { type: 'boolean' },
    public: { type: 'boolean' },
    check: { type: 'boolean' },
  },
  run: async (context, { positionals, values }) => {
    const [file, ...others] = positionals
    if (file === undefined || others.length > 0) throw usageError('Name one file.')
    const content = await readBytes(file)
    const site = await context.openSite()
    const review = await upload(site, content)
    const params = { id: review.id }
    if (values.check) {
      await site.call(discardImport, { params })
      context.print(review, describeReview(review))
      return true
    }
    const body = {
      plain_links: values['plain-links'] === true,
      folders: values['no-folders'] !== true,
      access: values.public === true ? ('public' as const) : ('private' as const),
    }
    const started = await site.call(startImport, { params, body })
    const result = await waitForTransfer(context, started, () => site.call(getImport, { params }))
    const { results: rejected } = await site.call(listImportRows, { params, query: { outcome: 'rejected' } })
    context.print(result, result.state === 'done' ? describeResult(result, rejected) : '')
    if (result.state === 'failed') context.note(`The import failed after ${countOf(result.done, 'row')}.`)
    return result.state === 'done' && result.outcomes.rejected === 0
  },
}

async function upload({ address, token }: Site, content: Blob): Promise<Import> {
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

function describeReview({ format, summary }: Import): string {
  if (summary === null) return format
  const { videos, plain_links, in_vault, rejected } = summary
  const counts = [
    countOf(videos, 'video'),
    countOf(plain_links, 'other link'),
    `${in_vault} already in your vault`,
    `${rejected} that can't be imported`,
  ]
  return `${format}: ${counts.join(', ')}.`
}

function describeResult({ outcomes }: Import, rejected: readonly ImportRow[]): string {
  const imported = outcomes.new + outcomes.changed + outcomes.held
  return [
    `Imported ${imported}, ${outcomes.known} already existed, ${outcomes.skipped} skipped, ${outcomes.rejected} failed.`,
    ...rejected.map(({ what, reason }) => `  ${printable(what)}: ${printable(reason)}`),
  ].join('\n')
}

async function readBytes(file: string): Promise<Blob> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CommandError(`Couldn't read ${file}: ${error.message}`)
  })
  if (bytes.length > importMax)
    throw new CommandError(`${file} is larger than ${importMax / 1024 / 1024} MB.`)
  return new Blob([bytes])
}
