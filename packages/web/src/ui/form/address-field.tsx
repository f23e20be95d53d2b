import type { ComponentProps } from 'react'
import { Field } from './field.tsx'

/** For an address that a person types or pastes. */
export function AddressField(props: Omit<ComponentProps<typeof Field>, 'isFigures' | 'placeholder'>) {
  return <Field {...props} isFigures autoComplete="off" spellCheck={false} placeholder="0x" />
}
