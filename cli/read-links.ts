import type { Terminal } from './command.ts'

/**
 * Returns the links to save: the arguments, and in place of "-", or without arguments, those of standard input. Standard
 * input is not read if it is a terminal, unless it is requested by "-".
 */
export async function readLinks(args: string[], stdin: Terminal['stdin']): Promise<string[]> {
  if (args.length === 0 && stdin.isTTY) return []
  if (args.length > 0 && !args.includes('-')) return args
  const entered = await readLines(stdin)
  return args.length === 0 ? entered : args.flatMap((arg) => (arg === '-' ? entered : [arg]))
}

/** Returns the lines of a text without blank ones and comments. */
async function readLines(stdin: Terminal['stdin']): Promise<string[]> {
  return (await readAll(stdin))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** Reads standard input to its end, as UTF-8. */
export async function readAll(stdin: Terminal['stdin']): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stdin)
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
