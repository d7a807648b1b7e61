/** Describes browser and system of a user agent in words, as a hint that helps users recognise their sessions. */

/** The first match counts, because most browsers also claim to be those further down. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\b(Edge|EdgA|EdgiOS|Edg)\//, 'Edge'],
  [/\b(OPR|OPiOS|OPX|Opera)\b/, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bUCBrowser\//, 'UC Browser'],
  [/\bDuckDuckGo\/|\bDdg\//, 'DuckDuckGo'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chromium)\//, 'Chromium'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/^(?=.*\bVersion\/\d).*\bSafari\//, 'Safari'],
  [/\b(Trident|MSIE)\b/, 'Internet Explorer'],
  [/^curl\b/, 'API client, curl'],
  [/^Wget\b/, 'API client, Wget'],
  [/^HTTPie\b/, 'API client, HTTPie'],
  [/^okhttp\b/, 'API client, OkHttp'],
  [/^[Pp]ython\b/, 'API client, Python'],
  [/^(node|undici)\b/, 'API client, node'],
  [/^Go-http-client\b/, 'API client, Go'],
  [/^axios\b/, 'API client, axios'],
  [/^PostmanRuntime\b/, 'API client, Postman'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPad\b/, 'iPad'],
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
  [/\b(FreeBSD|OpenBSD|NetBSD)\b/, 'BSD'],
]

/** Returns a description such as 'Firefox on Windows', 'A browser on Android' or 'Unknown device'. */
export function describeUserAgent(userAgent: string): string {
  const find = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system] = [find(browsers), find(systems)]
  if (browser === undefined) return system === undefined ? 'Unknown device' : `A browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
