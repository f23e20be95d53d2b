import type { ComponentProps } from 'react'
import { CardFold } from '../../ui/card.tsx'
import { text } from '../page-text.ts'
import { DevicePanel } from './device-panel.tsx'

/** The device, as a part of the card that unfolds. */
export function DevicePart({ isOpen, ...panel }: ComponentProps<typeof DevicePanel> & { isOpen: boolean }) {
  return (
    <CardFold title={text('device.title')} isOpen={isOpen}>
      <DevicePanel {...panel} />
    </CardFold>
  )
}
