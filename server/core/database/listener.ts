/** LISTEN on a separate connection, which is reopened when it is lost. */
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
   * Calls `onNotify` for every notification on `channel`, and `onListen` now and after every reconnection, because
   * notifications sent in between are lost.
   * @throws if there is no connection yet and it cannot be opened
   */
  listen(channel: string, onNotify: (payload: string) => void, onListen?: () => void): Promise<void>
  end(): Promise<void>
}

/** Milliseconds between two attempts to reconnect. */
const retryPauseMs = 250

/** Creates a listener, which connects on the first `listen`. */
export function openListener(config: ClientConfig): Listener {
  const subscriptions = new Set<Subscription>()
  const ending = new AbortController()
  let connection: Promise<Client> | null = null
  let isReconnecting = false

  const getConnection = () => {
    connection ??= open().catch((error: unknown) => {
      connection = null
      throw error
    })
    return connection
  }

  async function open(): Promise<Client> {
    const client = new Client(config)
    // Without this handler a broken connection would end the process; the 'end' event that follows is handled below.
    client.on('error', () => {})
    client.on('notification', ({ channel, payload }) => {
      for (const subscription of subscriptions) {
        if (subscription.channel === channel) subscription.onNotify(payload ?? '')
      }
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
        await sleep(retryPauseMs, undefined, { signal: ending.signal })
        await getConnection()
        break
      } catch {
        // The database is not back yet, or this listener is ending.
      }
    }
    isReconnecting = false
  }

  return {
    async listen(channel, onNotify, onListen = () => {}) {
      const client = await getConnection()
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
