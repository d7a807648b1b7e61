/** Reads a password from standard input, for the operator's command line. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/**
 * Returns the first line of standard input. On a terminal it asks for the password and does not show what is typed.
 * Returns an empty text if the input ends without a line.
 */
export function readPassword(input: NodeJS.ReadStream = process.stdin): Promise<string> {
  const isTerminal = input.isTTY === true
  if (isTerminal) process.stderr.write('Password: ')
  // With a terminal, readline shows what is typed on its output, which is discarded here.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output, terminal: isTerminal })
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    lines.once('close', () => {
      if (isTerminal) process.stderr.write('\n')
      resolve('')
    })
  })
}
