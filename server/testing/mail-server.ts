import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { parseMail, type TestMail } from './outbox.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  mail: TestMail
}

/**
 * Starts a mail server. `refuse` returns an SMTP error code for the n-th mail (from 0), or null to accept it. `tls` is its
 * certificate, offered through STARTTLS or, if `isImplicit`, from the first byte; without it the server has no TLS.
 */
export async function startMailServer(
  refuse: (n: number) => number | null = () => null,
  port = 0,
  tls: { cert: string; key: string; isImplicit: boolean } | null = null,
): Promise<{ url: string; port: number; received: ReceivedMail[]; tried(): number; stop(): Promise<void> }> {
  const received: ReceivedMail[] = []
  let count = 0
  const server = new SMTPServer({
    authOptional: true,
    ...(tls === null ? { disabledCommands: ['STARTTLS'] } : { ...tls, secure: tls.isImplicit }),
    onRcptTo(_address, _session, done) {
      const code = refuse(count)
      count += 1
      done(code === null ? null : Object.assign(new Error('not now'), { responseCode: code }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          mail: parseMail(Buffer.concat(chunks).toString('latin1')),
        })
        done()
      })
    },
  })
  // A client that does not trust the certificate closes the connection.
  if (tls !== null) server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const bound = (server.server.address() as AddressInfo).port
  return {
    url: `smtp://127.0.0.1:${bound}`,
    port: bound,
    received,
    tried: () => count,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
