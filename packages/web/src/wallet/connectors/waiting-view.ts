import type { ComponentType } from 'react'
import type { Connector } from './connector.ts'

/**
 * View of a wallet that has more to show than a line while it is waited for. It is there as long as the attempt is;
 * when it goes before the wallet has answered, the person has left.
 */
export type WaitingView = ComponentType<{ connector: Connector; walletName: string; onBack: () => void }>
