import { endConnection } from '@reelmark/contract/connections.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { Command } from '../command.ts'
import { configPath, readConfig, removeLogin } from '../config-file.ts'
import { CommandError, exitCodes } from '../failures.ts'
import { connectTo } from '../site.ts'

export const logoutCommand: Command = {
  usage: '[options]',
  summary: 'remove the login to a site from this computer, and revoke its token',
  help: `A token that you entered with "login --token" is not revoked, because other programs may use it.
`,
  options: {},
  run: async (context) => {
    const file = configPath(context.terminal.env)
    const address = await context.findSite()
    const login = address === null ? undefined : (await readConfig(file)).sites[address]
    if (address === null || login === undefined) {
      throw new CommandError('You are not logged in.', exitCodes.notLoggedIn)
    }
    if (login.is_own_token) await revoke(address, login.token)
    await removeLogin(file, address)
    const note = login.is_own_token ? '' : ' Its token is still valid: revoke it in Settings, Access tokens.'
    context.print({ site: address, revoked: login.is_own_token }, `Logged out of ${address}.${note}`)
    return true
  },
}

/** Revokes a token. One that is no longer valid needs no revoking. */
async function revoke(address: string, token: string): Promise<void> {
  try {
    await connectTo(address, token).call(endConnection, {})
  } catch (error) {
    if (!isCallError(error) || error.status !== 401) throw error
  }
}
