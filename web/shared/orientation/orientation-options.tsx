import { orientations } from '@reelmark/contract/protocol/fields.ts'
import { orientationLabels } from './orientation-select.tsx'

/** The options of a select for the orientation of a video. */
export function OrientationOptions() {
  return orientations.map((orientation) => (
    <option key={orientation} value={orientation}>
      {orientationLabels[orientation]}
    </option>
  ))
}
