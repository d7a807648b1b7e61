/**
 * Connects to the services whose URLs are the argument (JSON), through the code of the site, and prints for each of
 * them "connected" or the error. A process of its own, because Node reads NODE_EXTRA_CA_CERTS when it starts.
 */
import { slowTimeouts } from '../testing/test-database.ts'
import { connect } from './database/database.ts'
import { openLog } from './log.ts'
import { openMail } from './mail/mail.ts'
import { createMediaKey, openMediaStore } from './media/store.ts'
import { createOutbound } from './outbound/outbound.ts'
import { readSettings } from './settings.ts'

type Service = 'DATABASE_URL' | 'SMTP_URL' | 'S3_URL' | 'a page'
export type Attempt = [Service, url: string]

const services: Record<Service, (url: string) => Promise<void>> = {
  async DATABASE_URL(url) {
    const { databaseUrl } = readSettings({ DATABASE_URL: url })
    const db = connect(databaseUrl ?? '', { ...slowTimeouts, max: 1 })
    try {
      const [row] = await db`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
      if (row?.ssl !== true) throw new Error('connected without TLS')
    } finally {
      await db.end({ timeout: 5 })
    }
  },
  async SMTP_URL(url) {
    const settings = readSettings({ SMTP_URL: url })
    const mail = openMail({ ...settings, log: openLog({ logLevel: 'silent' }) })
    try {
      await mail.send({ to: 'alice@example.org', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' })
    } finally {
      mail.close()
    }
  },
  async S3_URL(url) {
    const store = openMediaStore(readSettings({ S3_URL: url }))
    await store.put(createMediaKey(), Buffer.from('a picture'))
  },
  async 'a page'(url) {
    const outbound = createOutbound({ allow: [new URL(url).host] })
    await outbound.get(url).finally(() => outbound.close())
  },
}

const results: string[] = []
for (const [service, url] of JSON.parse(process.argv[2] ?? '[]') as Attempt[]) {
  results.push(
    await services[service](url).then(
      () => 'connected',
      (error: Error) => error.message,
    ),
  )
}
process.stdout.write(`${JSON.stringify(results)}\n`, () => process.exit(0))
