/** Texts of 5,000 characters on which careless regular expressions and loops take quadratic time. */

export interface HostileText {
  name: string
  text: string
}

const length = 5000

/** Scripts of Unicode 17 except Common and Inherited, which are covered by the single characters. */
const scripts =
  'Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Beria_Erfe Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Garay Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Gurung_Khema Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi Kirat_Rai Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Ol_Onal Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham Sidetic SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Tai_Yo Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Todhri Tolong_Siki Toto Tulu_Tigalari Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square'.split(
    ' ',
  )

/** Returns the pattern of a script, or null if this runtime's Unicode is older than the script. */
function scriptPattern(name: string): RegExp | null {
  try {
    return new RegExp(`\\p{Script=${name}}`, 'u')
  } catch {
    return null
  }
}

function* allCharacters(): Generator<string> {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code)
  }
}

/** Returns 5,000 characters that repeat `characters`. */
function repeat(characters: readonly string[]): string {
  return Array.from({ length }, (_, index) => characters[index % characters.length]).join('')
}

/** Pieces that are repeated, because they start or nearly complete a pattern each time. */
const pieces = [
  'a.',
  '.a',
  'a-',
  'a ',
  ' \t',
  'http://',
  'https://a ',
  'https://a.b)',
  'https://ä.example/',
  'www.',
  'www.a.',
  'a@b.',
  '&lt;',
  '&amp;lt;',
  '<a',
  '<a ',
  '<a b=',
  '</',
  '<!--',
  '<![CDATA[',
  '<![CDATA[]',
  ']]>',
  '<title>',
  '<oembed><title>',
  '<meta charset',
  'charset = ',
  '<script type="application/ld+json">',
  '{"@type":',
  '[[',
  '{"a":[',
  '/*',
  '//',
  '\\',
  '"a ',
  '-"',
  'tag:',
  '-site:"',
  '%41',
  '%',
  '?a&',
  'utm_a=&',
  'Version/1 Safari',
  'Version/1.1 ',
  '1h ',
  '1:',
  'a\u0301',
  '\u0301\u0316',
  '\uff9e\u0301',
  '\ufdfa',
  '\u{1d15e}',
  '\u200d',
  '\r\n',
  '\n ',
]

/**
 * Returns every text: each script as its first letter repeated and as all its characters in turn, each punctuation
 * character and each ASCII character repeated, and repeated pieces of patterns.
 */
export function listHostileTexts(): HostileText[] {
  const patterns = scripts.map((name) => ({ name, pattern: scriptPattern(name), found: [] as string[] }))
  const texts: HostileText[] = []
  let latest = patterns[0]
  for (const character of allCharacters()) {
    if (character <= '\u007f' || /\p{P}/u.test(character)) {
      const code = character.codePointAt(0)?.toString(16)
      texts.push({ name: `U+${code} repeated`, text: repeat([character]) })
    } else if (
      /\p{L}|\p{M}|\p{N}/u.test(character) &&
      !/\p{Script=Common}|\p{Script=Inherited}/u.test(character)
    ) {
      // Neighbours are mostly of one script.
      if (latest?.pattern?.test(character) !== true)
        latest = patterns.find(({ pattern }) => pattern?.test(character))
      if (latest === undefined) throw new Error(`No script for ${character}`)
      latest.found.push(character)
    }
  }
  for (const { name, found } of patterns) {
    const [first] = found
    if (first === undefined) continue
    texts.push({ name: `${name}, one letter`, text: repeat([first]) })
    texts.push({ name: `${name}, all letters`, text: repeat(found) })
  }
  for (const piece of pieces) texts.push({ name: JSON.stringify(piece), text: repeat([...piece]) })
  return texts
}

/** Enough that neither the compiler nor other processes on the same core slow down every run. */
const maxRuns = 20

/**
 * Returns the milliseconds of processor time that `work` takes; other processes do not count. The shortest of
 * several runs, so that compiling the code and collecting garbage do not count.
 */
export function measureWork(work: () => unknown, sufficientMs: number, cpuUsage: () => number): number {
  let shortest = Number.POSITIVE_INFINITY
  for (let run = 0; run < maxRuns && shortest > sufficientMs; run += 1) {
    const start = cpuUsage()
    work()
    shortest = Math.min(shortest, cpuUsage() - start)
  }
  return shortest
}

/** Limits are stated for a machine on which `runYardstick` takes 20 to 40 ms, depending on its load. */
const yardstickMs = 40

/** A fixed amount of work: the usual operations of functions over texts, on a text of 5,000 characters. */
function runYardstick(): void {
  const text = 'Grüße aus Köln. '.repeat(length / 16)
  for (let round = 0; round < 300; round += 1)
    text
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .split(' ')
      .map((word) => word.toLowerCase())
      .join('-')
}

/** Returns a limit in milliseconds for this machine. It is twice as long if `runYardstick` takes twice as long. */
export function scaleLimit(ms: number, cpuUsage: () => number): number {
  const yardstick = measureWork(runYardstick, yardstickMs, cpuUsage)
  return ms * Math.max(1, yardstick / yardstickMs)
}
