import { readFile } from 'node:fs/promises'
import { getImport, listImportRows, startImport, uploadImport } from '@reelmark/contract/imports.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { importMax, maxPageSize } from '@reelmark/contract/protocol/limits.ts'
import type { Command } from '../command.ts'
import { CommandError, usageError } from '../failures.ts'
import { fetchTransport } from '../site.ts'
import { countOf, printable } from '../terminal.ts'
import { waitForTransfer } from '../wait-for-transfer.ts'

export const importCommand: Command = {
  usage: 'FILE [options]',
  summary: 'import a file of bookmarks',
  help: `Reads exports of Reelmark, browsers, YouTube and the other services that the site supports. Existing bookmarks are
not changed. The command waits until the import is complete.
`,
  options: {},
  run: async (context, { positionals }) => {
    const [file, ...others] = positionals
    if (file === undefined || others.length > 0) throw usageError('Name one file.')
    const content = await readBytes(file)
    const { address, token, call: callSite } = await context.openSite()
    const transport = fetchTransport(address, token)
    const uploaded = await call(
      (request) =>
        transport({
          ...request,
          headers: { ...request.headers, 'content-type': 'application/octet-stream' },
          body: content,
        }),
      uploadImport,
      {} as never,
    )
    const params = { id: uploaded.id }
    const started = await callSite(startImport, { params, body: { plain_links: true } })
    const result = await waitForTransfer(context, started, () => callSite(getImport, { params }))
    const { state, outcomes } = result
    const added = outcomes.new + outcomes.changed + outcomes.held
    const query = { outcome: 'rejected', page_size: maxPageSize } as const
    const { results: rejected } = await callSite(listImportRows, { params, query })
    const lines = [
      `Imported ${added}, ${outcomes.known} already existed, ${outcomes.rejected} failed.`,
      ...rejected.map(({ what, reason }) => `  ${printable(what)}: ${printable(reason)}`),
    ]
    context.print(result, state === 'done' ? lines.join('\n') : '')
    if (state === 'failed') context.note(`The import failed after ${countOf(result.done, 'row')}.`)
    return state === 'done' && outcomes.rejected === 0
  },
}

async function readBytes(file: string): Promise<Blob> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CommandError(`Couldn't read ${file}: ${error.message}`)
  })
  if (bytes.length > importMax)
    throw new CommandError(`${file} is larger than ${importMax / 1024 / 1024} MB.`)
  return new Blob([bytes])
}
