import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, isIP, Socket } from 'node:net'
import { vi } from 'vitest'

export type NetworkRecorder = {
  /** Every address that a socket was told to connect to, as `address:port`, in order. */
  dialled: string[]
  addresses(): string[]
  close(): Promise<void>
}

/**
 * A network in which every address answers: whatever is connected to, the local server is what replies, and the
 * socket says that it is the address asked for. Sees each connection of the process, whoever makes it.
 *
 * @param found what a socket says it is connected to, if not the address asked for
 */
export async function recordNetwork(
  listener: RequestListener,
  found: (address: string) => string = (address) => address,
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
    ...given: unknown[]
  ) {
    // net.connect() hands over its arguments as one list.
    const [target] = (Array.isArray(given[0]) ? given[0] : given) as [Target]
    const answers: string[] = []
    if (target.host !== undefined && isIP(target.host) !== 0) answers.push(target.host)
    else if (target.lookup) {
      target.lookup(target.host ?? 'localhost', { all: true }, (_error, all) => {
        answers.push(...all.map(({ address }) => address))
      })
    } else answers.push(target.host ?? 'localhost')
    dialled.push(...answers.map((address) => `${address}:${target.port}`))
    Object.defineProperty(this, 'remoteAddress', { value: found(answers[0] ?? '') })
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
