import { getConnection } from '@reelmark/contract/connections.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { Command, Context } from '../command.ts'
import { configPath, type StoredLogin, storeLogin } from '../config-file.ts'
import { requestConnection } from '../connection.ts'
import { CommandError, exitCodes, usageError } from '../failures.ts'
import { openBrowser } from '../open-browser.ts'
import { readAll } from '../read-links.ts'
import { connectTo } from '../site.ts'
import { printable } from '../terminal.ts'

export const loginCommand: Command = {
  usage: '[SITE] [options]',
  summary: 'log in to a site',
  help: `Opens the site in your browser, where you allow this program to use your account. The token is stored on this
computer, in a file that only you can read.

  --token TOKEN      uses a token from Settings, Access tokens, for computers without a browser; "-" reads it from
                     standard input
  --no-browser       only prints the address to open`,
  options: { token: { type: 'string' }, 'no-browser': { type: 'boolean' } },
  run: async (context, { positionals, values }) => {
    const [named, ...others] = positionals
    if (others.length > 0) throw usageError('Name one site.')
    const address = await context.findSite(named)
    if (address === null) throw usageError('Name the site: reelmark login https://reelmark.example')
    if (sendsInTheClear(address)) {
      context.note(
        `Warning: ${address} is not encrypted. Others in your network could read your access token.`,
      )
    }
    const login =
      values.token === undefined
        ? await logInWithBrowser(context, address, values['no-browser'] !== true)
        : await logInWithToken(context, address, String(values.token))
    await storeLogin(configPath(context.terminal.env), address, login)
    context.print(
      { site: address, username: login.username },
      `Logged in to ${address} as ${printable(login.username)}.`,
    )
    return true
  },
}

function sendsInTheClear(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

async function logInWithBrowser(
  context: Context,
  address: string,
  opensBrowser: boolean,
): Promise<StoredLogin> {
  const { access_token, username } = await requestConnection(address, (page) => {
    context.note(`Allow this program to use your account on this page:\n\n  ${page}\n`)
    if (opensBrowser) openBrowser(page)
  })
  return { token: access_token, username, is_own_token: true }
}

async function logInWithToken({ terminal }: Context, address: string, entered: string): Promise<StoredLogin> {
  const token = (entered === '-' ? await readAll(terminal.stdin) : entered).trim()
  if (token === '') throw usageError('The token is empty.')
  try {
    const { username } = await connectTo(address, token).call(getConnection, {})
    return { token, username, is_own_token: false }
  } catch (error) {
    if (!isCallError(error) || error.code !== 'invalid-token') throw error
    throw new CommandError(`${address} doesn't accept this token.`, exitCodes.notLoggedIn)
  }
}
