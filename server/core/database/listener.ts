/** LISTEN on a connection of its own, which comes back by itself when it was lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { quoteName } from './statement.ts'

interface Subscription {
  channel: string
  onNotify: (payload: string) => void
  onListen: () => void
}

export interface Listener {
  /**
   * Calls `onNotify` for every notification on `channel`, and `onListen` now and after every reconnection: what was
   * sent in between is lost.
   * @throws where there is no connection yet and none can be made.
   */
  listen(channel: string, onNotify: (payload: string) => void, onListen?: () => void): Promise<void>
  end(): Promise<void>
}

/** Milliseconds between two attempts to come back. */
const retryPause = 250

/** Connects on the first `listen`. */
export function openListener(config: ClientConfig): Listener {
  const subscriptions = new Set<Subscription>()
  const ending = new AbortController()
  let connection: Promise<Client> | null = null
  let isReconnecting = false

  const connected = () => {
    connection ??= open().catch((error: unknown) => {
      connection = null
      throw error
    })
    return connection
  }

  async function open(): Promise<Client> {
    const client = new Client(config)
    // Without a listener a broken connection would end the process; 'end' follows, and is what counts.
    client.on('error', () => {})
    client.on('notification', ({ channel, payload }) => {
      for (const each of subscriptions) if (each.channel === channel) each.onNotify(payload ?? '')
    })
    try {
      await client.connect()
      const channels = new Set([...subscriptions].map(({ channel }) => channel))
      for (const channel of channels) await client.query(`listen ${quoteName(channel)}`)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    client.once('end', onLost)
    for (const { onListen } of subscriptions) onListen()
    return client
  }

  function onLost(): void {
    connection = null
    if (!ending.signal.aborted && subscriptions.size > 0 && !isReconnecting) void reconnect()
  }

  async function reconnect(): Promise<void> {
    isReconnecting = true
    while (!ending.signal.aborted) {
      try {
        await sleep(retryPause, undefined, { signal: ending.signal })
        await connected()
        break
      } catch {
        // The database is not back yet, or this listener is ending.
      }
    }
    isReconnecting = false
  }

  return {
    async listen(channel, onNotify, onListen = () => {}) {
      const client = await connected()
      const subscription = { channel, onNotify, onListen }
      subscriptions.add(subscription)
      try {
        await client.query(`listen ${quoteName(channel)}`)
      } catch (error) {
        subscriptions.delete(subscription)
        throw error
      }
      onListen()
    },
    async end() {
      ending.abort()
      const client = await connection?.catch(() => null)
      await client?.end()
    },
  }
}
