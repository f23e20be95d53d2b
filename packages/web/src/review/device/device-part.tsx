import type { ComponentProps } from 'react'
import { text } from '../page-text.ts'
import { DevicePanel } from './device-panel.tsx'

/** The device, as a part of the card that unfolds. */
export function DevicePart({ isOpen, ...panel }: ComponentProps<typeof DevicePanel> & { isOpen: boolean }) {
  return (
    <details open={isOpen} className="group/device">
      <summary className="flex min-h-11 list-none items-center gap-x-2 px-4 sm:px-4.5 [&::-webkit-details-marker]:hidden">
        <svg
          aria-hidden="true"
          viewBox="0 0 20 20"
          className="size-4 text-ink-faint transition-transform group-open/device:rotate-90"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
        >
          <path d="m8 5.500 4.500 4.500L8 14.500" />
        </svg>
        <h2 className="font-semibold">{text('device.title')}</h2>
      </summary>
      <div className="px-4 pb-4 sm:px-4.5">
        <DevicePanel {...panel} />
      </div>
    </details>
  )
}
