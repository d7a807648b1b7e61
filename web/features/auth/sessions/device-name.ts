const devices: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android device'],
  [/CrOS/, 'Chromebook'],
  [/Macintosh/, 'Mac'],
  [/Windows/, 'Windows computer'],
  [/Linux/, 'Linux computer'],
]

/** What one would call this device: the name that a new passkey is offered. */
export function describeDevice(userAgent: string): string {
  return devices.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'My passkey'
}
