const devices: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android device'],
  [/CrOS/, 'Chromebook'],
  [/Macintosh/, 'Mac'],
  [/Windows/, 'Windows computer'],
  [/Linux/, 'Linux computer'],
]

/** Returns a name for this device, which is suggested for a new passkey. */
export function describeDevice(userAgent: string): string {
  return devices.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'My passkey'
}
