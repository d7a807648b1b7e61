/** Creating the first site owner with the link that the start of a new site prints. */
import * as t from 'typebox'
import { Registration } from './accounts.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id } from './protocol/fields.ts'

export const createOwner = endpoint({
  method: 'POST',
  path: '/setup/owner/',
  summary: 'Create the account of the site owner with the one-time link that the server prints',
  group: 'accounts',
  auth: 'anyone',
  body: t.Object(
    {
      ...Registration.properties,
      /** The part of the link after `#`, which browsers do not send to servers. */
      token: t.String({ minLength: 1, maxLength: 1000 }),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: t.Object({ id: Id, username: t.String(), email: t.String() }),
  errors: ['invalid', 'invalid-setup-link', 'rate-limited'],
})
