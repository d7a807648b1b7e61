import { americanHosts } from './hosts/american-hosts.ts'
import { asianHosts } from './hosts/asian-hosts.ts'
import { audioHosts } from './hosts/audio-hosts.ts'
import { easternHosts } from './hosts/eastern-hosts.ts'
import { europeanHosts } from './hosts/european-hosts.ts'
import { hostingServices } from './hosts/hosting-services.ts'
import { largeHosts } from './hosts/large-hosts.ts'
import { peertube } from './hosts/peertube.ts'
import { socialHosts } from './hosts/social-hosts.ts'
import type { VideoHost } from './video-host.ts'

/**
 * Video hosts that are recognised from a link alone, one file per group in hosts/. Sources: each site's embed dialog or
 * documentation, its oEmbed responses, yt-dlp's extractors and the tables of embedding libraries. Adult sites are in
 * hosts/adult-hosts.ts.
 */
export const videoHosts: readonly VideoHost[] = [
  ...largeHosts,
  ...socialHosts,
  ...asianHosts,
  ...easternHosts,
  ...europeanHosts,
  ...americanHosts,
  ...hostingServices,
  ...audioHosts,
  peertube,
]
