import { setTimeout as sleep } from 'node:timers/promises'
import type { Import } from '@reelmark/contract/imports.ts'
import type { Export } from '@reelmark/contract/transfer.ts'
import type { Context } from './command.ts'

const pollMs = 1000

/** Asks for the progress of an import or export each second until it ends, and shows it on a terminal. */
export async function waitForTransfer<Transfer extends Import | Export>(
  { terminal: { stderr } }: Context,
  started: Transfer,
  read: () => Promise<Transfer>,
): Promise<Transfer> {
  let transfer = started
  while (transfer.state === 'waiting' || transfer.state === 'running') {
    await sleep(pollMs)
    transfer = await read()
    if (stderr.isTTY && transfer.total > 0) stderr.write(`\r${transfer.done} of ${transfer.total}`)
  }
  if (stderr.isTTY) stderr.write('\r\u001b[K')
  return transfer
}
