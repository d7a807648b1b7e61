import { spawn } from 'node:child_process'

/** Opens an address in the user's browser. Nothing happens without one: the address was also printed. */
export function openBrowser(address: string, platform: NodeJS.Platform = process.platform): void {
  const [program, ...args] =
    platform === 'darwin'
      ? ['open']
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open']
  const child = spawn(program as string, [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
