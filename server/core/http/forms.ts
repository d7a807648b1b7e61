/** Endpoints that accept a form with a picture (multipart/form-data) as well as JSON. */
import type { Readable } from 'node:stream'
import multipart, { type Multipart } from '@fastify/multipart'
import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Call, type MountOptions, mount } from './endpoints.ts'
import { ApiError, fieldProblems, InvalidFields } from './errors.ts'
import { createPartValidator } from './validation.ts'

type WithPicture = Endpoint & { picture: string }

/** Maximum size of a text field in bytes. The longest is a bio: 500 characters of up to four bytes. */
const fieldBytes = 16 * 1024
const maxFields = 20

interface FormOptions extends MountOptions {
  /** Maximum size of the picture in bytes. */
  maxBytes: number
}

/**
 * Mounts an endpoint whose body is JSON or a form. A form is read after authorisation. Its fields are validated by the
 * same schema, with numbers and booleans converted from text. The handler gets the picture's bytes, or null.
 */
export function mountForm<E extends WithPicture>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E> & { picture: Buffer | null }) => Promise<Reply<E>>,
  { maxBytes, ...options }: FormOptions,
): void {
  const validateFields = createPartValidator(endpoint.body ?? {}, { fromText: true })
  app.register(async (scope) => {
    await scope.register(multipart, {
      throwFileSizeLimit: true,
      limits: {
        fileSize: maxBytes,
        files: 1,
        fields: maxFields,
        parts: maxFields + 1,
        fieldSize: fieldBytes,
        fieldNameSize: 100,
        headerPairs: 20,
      },
    })
    const compile = scope.validatorCompiler
    scope.setValidatorCompiler((route) => {
      const validate = compile?.(route) ?? (() => true)
      if (route.httpPart !== 'body') return validate
      return (body: unknown) => (body === unreadFields ? true : validate(body))
    })
    scope.addHook('preValidation', async (request) => {
      if (request.isMultipart()) request.body = unreadFields
    })
    // If the response was sent before the whole body was read, the rest is discarded, so that the connection can be
    // used again.
    scope.addHook('onResponse', async ({ raw }) => void raw.resume())
    mount(
      scope,
      endpoint,
      async (call) => {
        if (call.request.body !== unreadFields) return handler({ ...call, picture: null })
        const { fields, picture } = await readForm(call.request, endpoint.picture, maxBytes)
        const problems = validateFields(fields, '')
        if (problems.length > 0) throw new InvalidFields(fieldProblems(problems))
        return handler({ ...call, input: { ...(call.input as object), body: fields } as Input<E>, picture })
      },
      options,
    )
  })
}

/** Placeholder for the body of a form until its fields are read. */
const unreadFields = Object.freeze({})

interface Form {
  fields: Record<string, unknown>
  picture: Buffer | null
}

/** Reads the fields and the picture of a form. @throws ApiError, InvalidFields */
async function readForm(request: FastifyRequest, name: string, maxBytes: number): Promise<Form> {
  const maxFormBytes = maxBytes + maxFields * fieldBytes
  // Refuses an oversized form before reading any of it.
  if (Number(request.headers['content-length'] ?? 0) > maxFormBytes) throw new ApiError('too-large')
  const form: Form = { fields: {}, picture: null }
  const read = async () => {
    for await (const part of request.parts()) await readPart(form, part, name)
  }
  try {
    await Promise.race([read(), failAbove(maxFormBytes, request.raw)])
  } catch (error) {
    if (error instanceof InvalidFields || error instanceof ApiError) throw error
    throw toApiError(error as { code?: string }, name, maxBytes)
  }
  return form
}

/** Rejects once more than `bytes` were received. The parser alone would read an oversized form to its end. */
function failAbove(bytes: number, source: Readable): Promise<never> {
  let size = 0
  return new Promise((_resolve, reject) => {
    source.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > bytes) reject(new ApiError('too-large'))
    })
  })
}

async function readPart(form: Form, part: Multipart, name: string): Promise<void> {
  if (part.type === 'field') {
    // Forms encode line breaks as CR LF.
    const { value } = part
    form.fields[part.fieldname] = typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value
    return
  }
  const bytes = await part.toBuffer()
  // A file input without a chosen file is sent as an empty file without a name.
  if (bytes.length === 0 && !part.filename) return
  // A file under the name of a text field; the schema refuses the object.
  if (part.fieldname !== name) form.fields[part.fieldname] = {}
  else if (bytes.length === 0) throw new InvalidFields({ [name]: ['The submitted file is empty.'] })
  else form.picture = bytes
}

/** Converts errors of the multipart parser to client errors. */
function toApiError({ code }: { code?: string }, name: string, maxBytes: number): Error {
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    return new InvalidFields({ [name]: [`The file is larger than ${maxBytes / 1024 / 1024} MB.`] })
  }
  if (code === 'FST_FILES_LIMIT' || code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT') {
    return new ApiError('too-large')
  }
  return new ApiError('malformed-body', { detail: "Couldn't read the form." })
}
