import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, isIP, Socket } from 'node:net'
import { vi } from 'vitest'

export type NetworkRecorder = {
  /** Every address that a socket connected to, as `address:port`, in order. */
  dialled: string[]
  addresses(): string[]
  close(): Promise<void>
}

/**
 * Replaces the network of this process: every connection reaches a local server, while the socket reports the requested
 * address as its remote address. Records all connections.
 *
 * @param remoteAddress returns the address that a socket reports instead of the requested one
 */
export async function recordNetwork(
  listener: RequestListener,
  remoteAddress: (address: string) => string = (address) => address,
): Promise<NetworkRecorder> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const dialled: string[] = []

  const connect = Socket.prototype.connect
  type Target = {
    host?: string
    port: number
    lookup?: (
      host: string,
      options: object,
      done: (error: Error | null, answers: { address: string }[]) => void,
    ) => void
  }
  const connectSpy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
    this: Socket,
    ...args: unknown[]
  ) {
    // net.connect() passes its arguments as one array.
    const [target] = (Array.isArray(args[0]) ? args[0] : args) as [Target]
    const answers: string[] = []
    if (target.host !== undefined && isIP(target.host) !== 0) answers.push(target.host)
    else if (target.lookup) {
      target.lookup(target.host ?? 'localhost', { all: true }, (_error, all) => {
        answers.push(...all.map(({ address }) => address))
      })
    } else answers.push(target.host ?? 'localhost')
    dialled.push(...answers.map((address) => `${address}:${target.port}`))
    Object.defineProperty(this, 'remoteAddress', { value: remoteAddress(answers[0] ?? '') })
    return Reflect.apply(connect, this, [{ host: '127.0.0.1', port }])
  })

  return {
    dialled,
    addresses: () => dialled.map((line) => line.replace(/:\d+$/, '')),
    async close() {
      connectSpy.mockRestore()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
