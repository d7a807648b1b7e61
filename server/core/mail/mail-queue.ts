/**
 * Queues mails as jobs in the transaction that causes them, and retries for an hour or two. Queued mails are encrypted,
 * because they contain links that grant access: no token is readable in a table or a logged statement.
 */
import { randomUUID } from 'node:crypto'
import { decrypt, encrypt } from '../auth/encryption.ts'
import type { ServerKeys } from '../auth/server-keys.ts'
import type { Db } from '../database/database.ts'
import type { JobQueue, Jobs } from '../database/jobs.ts'
import type { Log } from '../log.ts'
import { type Mail, type MailMessage, MailRefused } from './mail.ts'

interface WaitingMail {
  /** The same for every attempt. */
  id: string
  /** The encrypted message, in Base64. */
  sealed: string
  /** ISO 8601. The mail is dropped after this time. */
  useful_until: string
}

const queueName = 'send-mail'

/**
 * Queues a mail in the caller's transaction, so that it is sent only if that commits.
 * @param usefulFor seconds after which an unsent mail is dropped
 */
export async function queueMail(
  db: Db,
  { jobs, serverKeys }: { jobs: Jobs; serverKeys: ServerKeys },
  message: MailMessage,
  { usefulFor = 24 * 60 * 60 }: { usefulFor?: number } = {},
): Promise<void> {
  const id = randomUUID()
  const waiting: WaitingMail = {
    id,
    sealed: encrypt(serverKeys['waiting-mail'], id, JSON.stringify(message)).toString('base64'),
    useful_until: new Date(Date.now() + usefulFor * 1000).toISOString(),
  }
  await jobs.send(db, { name: queueName }, waiting)
}

/** The queue that sends. */
export function mailQueue({
  serverKeys,
  mail,
  log,
}: {
  serverKeys: ServerKeys
  mail: Mail
  log: Log
}): JobQueue<WaitingMail> {
  return {
    name: queueName,
    // Pauses double, from a second or two up to an hour.
    retries: 12,
    seconds: 120,
    concurrency: 2,
    work: async ({ id, sealed, useful_until }) => {
      if (new Date(useful_until) < new Date()) {
        log.warn({ mail: id }, 'a mail could not be sent in time and was dropped')
        return
      }
      const message = JSON.parse(
        decrypt(serverKeys['waiting-mail'], id, Buffer.from(sealed, 'base64')),
      ) as MailMessage
      try {
        await mail.send(message, id)
      } catch (error) {
        const isFinal = error instanceof MailRefused
        log.warn({ err: error, mail: id }, isFinal ? 'a mail was refused' : 'a mail could not be sent yet')
        if (!isFinal) throw error
      }
    },
  }
}
