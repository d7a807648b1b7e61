import { readFile } from 'node:fs/promises'
import { call } from '@reelmark/contract/protocol/call.ts'
import { importMax } from '@reelmark/contract/protocol/limits.ts'
import { getImport, startImport } from '@reelmark/contract/transfer.ts'
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
    const started = await call(
      (request) =>
        transport({
          ...request,
          headers: { ...request.headers, 'content-type': 'application/octet-stream' },
          body: content,
        }),
      startImport,
      {} as never,
    )
    const params = { id: started.id }
    const result = await waitForTransfer(context, started, () => callSite(getImport, { params }))
    const { state, added, duplicates, failed, problems } = result
    const lines = [
      `Imported ${added}, ${duplicates} already existed, ${failed} failed.`,
      ...problems.map(({ what, why }) => `  ${printable(what)}: ${printable(why)}`),
    ]
    context.print(result, state === 'done' ? lines.join('\n') : '')
    if (state === 'failed') context.note(`The import failed after ${countOf(result.done, 'row')}.`)
    return state === 'done' && failed === 0
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
