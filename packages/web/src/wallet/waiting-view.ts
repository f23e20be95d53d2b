import type { ComponentType } from 'react'
import type { Connector } from './providers/connector.ts'

/**
 * What is shown while a wallet is waited for that has more to show than a line. It is there as long as the attempt
 * is; when it goes before the wallet has answered, the person has left.
 */
export type WaitingView = ComponentType<{ connector: Connector; walletName: string; onBack: () => void }>
