/** Endpoints whose body may also come as a form with a picture: multipart/form-data beside JSON. */
import type { Readable } from 'node:stream'
import multipart, { type Multipart } from '@fastify/multipart'
import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Call, type MountOptions, mount } from './endpoints.ts'
import { ApiError, fieldProblems, InvalidFields } from './errors.ts'
import { createPartValidator } from './validation.ts'

type WithPicture = Endpoint & { picture: string }

/** The longest text of any form is a bio: 500 letters of four bytes. */
const fieldBytes = 16 * 1024
const maxFields = 20

interface FormOptions extends MountOptions {
  /** Bytes of the picture. */
  maxBytes: number
}

/**
 * Makes an endpoint answer whose body is JSON or a form. A form is read once it is settled who sends it; its fields are
 * checked by the same schema, with numbers and yes or no made of text. `picture` is the file as it was sent, or null.
 */
export function mountForm<E extends WithPicture>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E> & { picture: Buffer | null }) => Promise<Reply<E>>,
  { maxBytes, ...options }: FormOptions,
): void {
  const check = createPartValidator(endpoint.body ?? {}, { fromText: true })
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
    // Whoever was answered before all of it was read still sends: what is left is let go, or the connection would wait.
    scope.addHook('onResponse', async ({ raw }) => void raw.resume())
    mount(
      scope,
      endpoint,
      async (call) => {
        if (call.request.body !== unreadFields) return handler({ ...call, picture: null })
        const { fields, picture } = await readForm(call.request, endpoint.picture, maxBytes)
        const problems = check(fields, '')
        if (problems.length > 0) throw new InvalidFields(fieldProblems(problems))
        return handler({ ...call, input: { ...(call.input as object), body: fields } as Input<E>, picture })
      },
      options,
    )
  })
}

/** In the place of a form's fields until they are read. */
const unreadFields = Object.freeze({})

interface Form {
  fields: Record<string, unknown>
  picture: Buffer | null
}

/** @throws ApiError, InvalidFields */
async function readForm(request: FastifyRequest, name: string, maxBytes: number): Promise<Form> {
  const whole = maxBytes + maxFields * fieldBytes
  // What is clear before any of it is read.
  if (Number(request.headers['content-length'] ?? 0) > whole) throw new ApiError('too-large')
  const form: Form = { fields: {}, picture: null }
  const read = async () => {
    for await (const part of request.parts()) await readPart(form, part, name)
  }
  try {
    await Promise.race([read(), failAbove(whole, request.raw)])
  } catch (error) {
    if (error instanceof InvalidFields || error instanceof ApiError) throw error
    throw toApiError(error as { code?: string }, name, maxBytes)
  }
  return form
}

/** Fails once more came than that: what is too long is else read to its end, which may never come. */
function failAbove(bytes: number, source: Readable): Promise<never> {
  let size = 0
  return new Promise((_resolve, reject) => {
    source.on('data', (piece: Buffer) => {
      size += piece.length
      if (size > bytes) reject(new ApiError('too-large'))
    })
  })
}

async function readPart(form: Form, part: Multipart, name: string): Promise<void> {
  if (part.type === 'field') {
    // A form writes line breaks as CR LF, whatever was typed.
    const { value } = part
    form.fields[part.fieldname] = typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value
    return
  }
  const bytes = await part.toBuffer()
  // A file field in which nothing was chosen comes as an empty file without a name.
  if (bytes.length === 0 && !part.filename) return
  // A file in a field's place is no text, whatever is in it.
  if (part.fieldname !== name) form.fields[part.fieldname] = {}
  else if (bytes.length === 0) throw new InvalidFields({ [name]: ['The submitted file is empty.'] })
  else form.picture = bytes
}

/** Whatever a form can be wrong in is the fault of whoever sent it. */
function toApiError({ code }: { code?: string }, name: string, maxBytes: number): Error {
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    return new InvalidFields({ [name]: [`The file is larger than ${maxBytes / 1024 / 1024} MB.`] })
  }
  if (code === 'FST_FILES_LIMIT' || code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT') {
    return new ApiError('too-large')
  }
  return new ApiError('malformed-body', { detail: "Couldn't read the form." })
}
