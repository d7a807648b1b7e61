/** The layout of all mails as HTML and as text: dark and amber like the site, without external resources. */

export interface MailContent {
  /** Title of the mail. Mail programs show it as the preview in lists. */
  heading: string
  /** Paragraphs of plain text. Line breaks inside a paragraph are replaced by spaces. */
  paragraphs: string[]
  /** The main button. `path` is on this site and starts with /. */
  action?: { label: string; path: string }
  /** Small print, for example why the mail was sent and what to do if it was not expected. */
  footnotes?: string[]
}

/** Colours of the site's dark theme (web/ui/tokens.css) in a notation that mail programs support. */
const colours = {
  surface: '#0e0b09',
  raised: '#181412',
  line: '#2b2723',
  text: '#f2f0ec',
  quiet: '#aea8a1',
  accent: '#fe9a43',
  onAccent: '#220e03',
  accentInk: '#ffb066',
}
const font = `font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`
const paragraph = `margin:0 0 16px;${font};font-size:16px;line-height:1.55;color:${colours.text}`
const small = `margin:0 0 8px;${font};font-size:13px;line-height:1.5;color:${colours.quiet}`

/**
 * Returns a mail as text and as HTML. All texts are escaped, and all links start with PUBLIC_URL.
 * @throws if the action's path is not a path on this site, for example `//host`
 */
export function renderMail(content: MailContent, publicUrl: string): { text: string; html: string } {
  const { action } = content
  if (action !== undefined && !/^\/(?!\/)/.test(action.path))
    throw new Error(`the path of an action must be on this site: ${action.path}`)
  const link = action === undefined ? null : { label: action.label, url: `${publicUrl}${action.path}` }
  const normalised = { ...content, paragraphs: content.paragraphs.map(oneLine) }
  return { text: renderText(normalised, link, publicUrl), html: renderHtml(normalised, link, publicUrl) }
}

/** Replaces line breaks and direction marks, so that user text cannot imitate other parts of the mail. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Z}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

interface Link {
  label: string
  url: string
}

function renderText(
  { heading, paragraphs, footnotes = [] }: MailContent,
  link: Link | null,
  publicUrl: string,
) {
  return `${[
    heading,
    ...paragraphs,
    // The link is on its own line, so that mail programs link it and users can copy it.
    ...(link === null ? [] : [`${link.label}:\n${link.url}`]),
    ...footnotes,
    `-- \nReelmark\n${publicUrl}`,
  ].join('\n\n')}\n`
}

function renderHtml(
  { heading, paragraphs, footnotes = [] }: MailContent,
  link: Link | null,
  publicUrl: string,
) {
  const title = escapeHtml(heading)
  const body = paragraphs.map((text) => `<p style="${paragraph}">${escapeHtml(text)}</p>`).join('\n')
  const notes = [
    ...(link === null
      ? []
      : [
          `If the button doesn't work, copy this link into your browser:<br><a href="${escapeHtml(link.url)}" style="color:${colours.accentInk};word-break:break-all">${escapeHtml(link.url)}</a>`,
        ]),
    ...footnotes.map(escapeHtml),
  ]
    .map((html) => `<p style="${small}">${html}</p>`)
    .join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark light">
<meta name="supported-color-schemes" content="dark light">
<title>${title}</title>
</head>
<body style="margin:0;padding:0;background-color:${colours.surface}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${colours.surface}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td style="padding:0 0 20px;${font};font-size:20px;font-weight:700;color:${colours.text}">
<a href="${escapeHtml(publicUrl)}/" style="color:${colours.text};text-decoration:none">Reel<span style="color:${colours.accent}">mark</span></a>
</td></tr>
<tr><td bgcolor="${colours.raised}" style="padding:28px;border:1px solid ${colours.line};border-radius:12px">
<h1 style="margin:0 0 16px;${font};font-size:22px;line-height:1.3;font-weight:650;color:${colours.text}">${title}</h1>
${body}
${link === null ? '' : button(link)}
</td></tr>
<tr><td style="padding:20px 4px 0">
${notes}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

function button({ label, url }: Link): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 4px"><tr>
<td bgcolor="${colours.accent}" style="border-radius:8px">
<a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 22px;${font};font-size:16px;font-weight:600;color:${colours.onAccent};text-decoration:none">${escapeHtml(label)}</a>
</td></tr></table>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
