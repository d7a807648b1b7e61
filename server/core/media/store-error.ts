/** The picture store cannot be used: its server is away or refuses, or its folder cannot be written. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
