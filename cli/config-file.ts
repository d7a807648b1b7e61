/** The file in which access tokens are stored, per site. Only its owner can read it. */
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { CommandError } from './failures.ts'

export interface StoredLogin {
  token: string
  username: string
  /** Whether `login` created the token, so that `logout` revokes it. A token that the user entered may be used elsewhere. */
  is_own_token: boolean
}

interface Config {
  /** The site of the last login, which commands use without `--site`. */
  default_site: string | null
  /** By address without a trailing slash. */
  sites: Record<string, StoredLogin>
}

type Environment = Record<string, string | undefined>

/** Returns the path of the file: in the folder for settings that the system has. */
export function configPath(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const home = env.HOME || homedir()
  const folder =
    env.XDG_CONFIG_HOME ||
    (platform === 'win32'
      ? env.APPDATA || path.join(home, 'AppData', 'Roaming')
      : platform === 'darwin'
        ? path.join(home, 'Library', 'Application Support')
        : path.join(home, '.config'))
  return path.join(folder, 'reelmark', 'cli.json')
}

/** @throws CommandError if the file exists but cannot be used */
export async function readConfig(file: string): Promise<Config> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { default_site: null, sites: {} }
    throw new CommandError(`Couldn't read ${file}: ${(error as Error).message}`)
  }
  const config = parseConfig(text)
  if (config === null) throw new CommandError(`${file} is damaged. Delete it and log in again.`)
  return config
}

function parseConfig(text: string): Config | null {
  try {
    const config = JSON.parse(text) as Partial<Config>
    const isValid =
      (config.default_site === null || typeof config.default_site === 'string') &&
      typeof config.sites === 'object' &&
      config.sites !== null &&
      Object.values(config.sites).every(
        (login) => typeof login?.token === 'string' && typeof login.username === 'string',
      )
    return isValid ? (config as Config) : null
  } catch {
    return null
  }
}

async function writeConfig(file: string, config: Config): Promise<void> {
  const temporary = `${file}.${process.pid}`
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    // A new file, because the mode applies only to new ones. Renamed, so that the file is never half written.
    await writeFile(temporary, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await chmod(temporary, 0o600)
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw new CommandError(`Couldn't write ${file}: ${(error as Error).message}`)
  }
}

/** Stores the login to a site, which becomes the default. */
export async function storeLogin(file: string, site: string, login: StoredLogin): Promise<void> {
  const { sites } = await readConfig(file)
  await writeConfig(file, { default_site: site, sites: { ...sites, [site]: login } })
}

/** Removes the login to a site. The default is then another site, if there is one. */
export async function removeLogin(file: string, site: string): Promise<void> {
  const { sites, default_site } = await readConfig(file)
  const { [site]: _removed, ...rest } = sites
  await writeConfig(file, {
    default_site: default_site === site ? (Object.keys(rest)[0] ?? null) : default_site,
    sites: rest,
  })
}

/**
 * Returns the address of a site in the form in which it is stored.
 * @throws CommandError if it is not an address
 */
export function parseSite(text: string): string {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  const isValid = URL.canParse(address) && new URL(address).username === ''
  if (!isValid) throw new CommandError(`${text} isn't the address of a site.`, 2)
  return new URL(address).origin
}
