import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'

/**
 * Titles of pages that a site shows instead of the requested one, in the languages that large sites use. Most must be the
 * start or the whole of the title, because the same words occur in titles of videos ("How to log in to …").
 */
const interstitialTitles = [
  // Checks for programs.
  /^(?:just a moment|one moment,? please|un momento|einen moment|un instant|um momento|bir dakika|请稍候|しばらくお待ちください|잠시만 기다)/i,
  /^(?:attention required|one more step|please wait|checking your browser|security (?:check|verification)|pardon our interruption|client challenge|human verification|bot verification|robot check|validate your request|performing security|vercel security)\b/i,
  /^(?:are you (?:a )?(?:human|robot)|robot or human|(?:please )?verify(?:ing)? (?:that )?you(?:['’]re| are))/i,
  /^(?:re)?captcha\b|\bcaptcha(?: (?:challenge|check|required))?$|^ddos-guard|^(?:sorry, )?you have been blocked/i,
  /^(?:please )?(?:enable|turn on) (?:javascript|js|cookies)\b|^javascript is (?:not available|disabled|required)/i,
  /^(?:loading|redirecting)[.… ]*$|^object moved$|^30\d\b.{0,20}\bmoved\b/i,
  // Errors and removed content.
  /\baccess (?:to this page )?(?:has been |is )?denied\b|^(?:blocked|request blocked|the request could not be satisfied)$/i,
  /^(?:http )?(?:error[: ]*)?(?:40[0134]|410|429|451|50[0234])(?:$|\s?[-–—|:.!]|\s(?:not|forbidden|unauthorized|bad|too|internal|service|gateway|error|page|gone|unavailable|access)\b)/i,
  /\b(?:page|video|content|file|post|clip|media|account|channel|episode) (?:was |is |has been |could not be |cannot be )?(?:not found|unavailable|found|removed|deleted|private|terminated|suspended|expired)(?:$|\s?[-–—|:.!•])/i,
  /^(?:sorry, )?(?:this|the|that|your) (?:page|video|content|file|post|clip|media|account|channel|episode)\b.{0,30}\b(?:available|exist|found|removed|deleted|private|terminated|suspended)\b/i,
  /^(?:not found|forbidden|unauthorized|unavailable|private video|deleted video|error|bad request|oops|uh[- ]?oh|vimeuhoh)[.!]*$/i,
  /^(?:seite nicht gefunden|page (?:introuvable|non trouvée)|página no encontrada|pagina non trovata|pagina niet gevonden|nie znaleziono|страница не найдена|видео недоступно|ページが見つかりません|页面不存在)/i,
  // Login.
  /^(?:log ?in|sign ?in|sign ?up)(?:$|\s?[-–—|:•·]|\s(?:to|into|or|page|with)\b.{0,40}$)/i,
  /^(?:iniciar sesión|anmelden|einloggen|se connecter|connexion|identifiez-vous|accedi|inloggen|logga in|log ind|logg inn|kirjaudu|zaloguj|přihl[áa]|giriş yap|войти|вход|авторизация|登录|登入|ログイン|로그인)(?![\p{L}\p{N}])/iu,
  /[-–—|:•·]\s?(?:log ?in|sign ?in)(?: or sign ?up)?$|^\S{1,30} (?:log ?in|sign ?in)$/i,
  // Consent.
  /^(?:before you continue|antes de (?:ir|continuar|avançar|acceder)|bevor (?:sie|du)|avant d['’](?:accéder|aller)|avant de continuer|prima di continuare|voordat (?:je|u)|zanim przejdziesz|než budete|innan du fortsätter|før du fort|прежде чем|继续之前|在您继续|続行する前に|계속하기 전에|devam etmeden)/i,
  /^(?:we value your privacy|manage (?:your )?(?:cookies|consent|privacy)|(?:cookie|privacy)[- ](?:settings|consent|policy|notice|gate|wall)|ihre privatsphäre|votre vie privée|gestion des cookies)(?![\p{L}\p{N}])/iu,
  // Ages, browsers.
  /^(?:age (?:verification|check|gate|confirmation)\b.{0,20}$|are you (?:over )?(?:18|21)\b|confirm your age|altersverifikation|altersprüfung)/i,
  /^(?:please )?(?:update|upgrade) your browser\b|^(?:your )?browser (?:is )?(?:not |un)supported|^unsupported browser|^actualiza tu navegador|^aktualisieren sie ihren browser|^mettre à jour votre navigateur/i,
]

/** Returns whether a title is that of an interstitial page. */
export function isInterstitialTitle(title: string): boolean {
  return interstitialTitles.some((pattern) => pattern.test(title))
}

/** Returns whether one of the addresses of a page, after all redirects and as it declares it, is that of an interstitial. */
export function isInterstitialUrl(...links: readonly (string | null)[]): boolean {
  return links.some((link) => {
    const parsed = link === null ? null : parseUrl(link)
    if (parsed === null) return false
    const { hostname, pathname } = parsed
    return (
      /^(?:consent|login|accounts|auth|sso|guce|myprivacy|privacy-gate)\.|\.captcha-delivery\.com$/.test(
        hostname,
      ) ||
      /^\/(?:accounts\/|i\/flow\/)?(?:login|log-in|signin|sign-in|authwall|consent|checkpoint|challenge|age-?gate|age_gate|verify_?age|cookie-?wall|privacy-gate|sorry)(?:[/.]|$)/i.test(
        pathname,
      )
    )
  })
}
