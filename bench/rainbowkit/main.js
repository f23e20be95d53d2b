import '@rainbow-me/rainbowkit/styles.css'
import { ConnectButton, connectorsForWallets, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import {
  coinbaseWallet,
  injectedWallet,
  metaMaskWallet,
  safeWallet,
  walletConnectWallet,
} from '@rainbow-me/rainbowkit/wallets'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { createConfig, http, WagmiProvider } from 'wagmi'
import { mainnet } from 'wagmi/chains'

// The way of its documentation, with the kinds of wallet that Countersign offers and nothing else.
const wallets = [injectedWallet, metaMaskWallet, coinbaseWallet, safeWallet, walletConnectWallet]
const connectors = connectorsForWallets([{ groupName: 'Wallets', wallets }], {
  appName: 'Comparison',
  projectId: '00000000000000000000000000000000',
})
const config = createConfig({ connectors, chains: [mainnet], transports: { [mainnet.id]: http() } })

createRoot(document.getElementById('root')).render(
  createElement(
    WagmiProvider,
    { config },
    createElement(
      QueryClientProvider,
      { client: new QueryClient() },
      createElement(RainbowKitProvider, null, createElement(ConnectButton)),
    ),
  ),
)
