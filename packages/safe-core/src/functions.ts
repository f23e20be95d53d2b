import {
  type AbiFunction,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  parseAbiItem,
  size,
  slice,
  toFunctionSelector,
  toFunctionSignature,
} from 'viem'

/** What a function does, as far as its name says. */
export type FunctionFamily =
  | 'erc20-transfer'
  | 'erc20-approve'
  | 'erc721-transfer'
  | 'erc1155-transfer'
  | 'approve-all'
  | 'safe-settings'
  | 'ownership'
  | 'upgrade'
  | 'role'
  | 'renounce'
  | 'nested-safe'
  | 'multicall'
  | 'sign-message'
  | 'migration'

/** A function that Countersign can read without asking anybody. */
export type KnownFunction = { family: FunctionFamily; abi: AbiFunction; signature: string; selector: Hex }

const families: Record<FunctionFamily, readonly string[]> = {
  'erc20-transfer': [
    'transfer(address to, uint256 amount)',
    // ERC-721 has the same function: the last argument may be an item.
    'transferFrom(address from, address to, uint256 amount)',
  ],
  'erc20-approve': [
    'approve(address spender, uint256 amount)',
    'increaseAllowance(address spender, uint256 amount)',
    'decreaseAllowance(address spender, uint256 amount)',
    // Permit2
    'approve(address token, address spender, uint160 amount, uint48 expiration)',
  ],
  'erc721-transfer': [
    'safeTransferFrom(address from, address to, uint256 tokenId)',
    'safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  ],
  'erc1155-transfer': [
    'safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
    'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  ],
  'approve-all': ['setApprovalForAll(address operator, bool approved)'],
  'safe-settings': [
    'addOwnerWithThreshold(address owner, uint256 threshold)',
    'removeOwner(address prevOwner, address owner, uint256 threshold)',
    'swapOwner(address prevOwner, address oldOwner, address newOwner)',
    'changeThreshold(uint256 threshold)',
    'enableModule(address module)',
    'disableModule(address prevModule, address module)',
    'setGuard(address guard)',
    'setModuleGuard(address moduleGuard)',
    'setFallbackHandler(address handler)',
    'changeMasterCopy(address masterCopy)',
    'setDomainVerifier(bytes32 domainSeparator, address newVerifier)',
    'setSafeMethod(bytes4 selector, bytes32 newMethod)',
  ],
  ownership: [
    'transferOwnership(address newOwner)',
    'setOwner(address owner)',
    'setAuthority(address authority)',
    'changeAdmin(address newAdmin)',
    'changeProxyAdmin(address proxy, address newAdmin)',
  ],
  upgrade: [
    'upgradeTo(address newImplementation)',
    'upgradeToAndCall(address newImplementation, bytes data)',
    'upgrade(address proxy, address implementation)',
    'upgradeAndCall(address proxy, address implementation, bytes data)',
    'setImplementation(address implementation)',
    'diamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] diamondCut, address init, bytes data)',
    'setLendingPoolImpl(address pool)',
  ],
  role: ['grantRole(bytes32 role, address account)', 'revokeRole(bytes32 role, address account)'],
  renounce: ['renounceOwnership()', 'renounceRole(bytes32 role, address account)'],
  'nested-safe': [
    'approveHash(bytes32 hashToApprove)',
    'execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
    'execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
    'execTransactionFromModuleReturnData(address to, uint256 value, bytes data, uint8 operation)',
  ],
  multicall: [
    'aggregate((address target, bytes callData)[] calls)',
    'aggregate3((address target, bool allowFailure, bytes callData)[] calls)',
    'aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)',
  ],
  'sign-message': ['signMessage(bytes data)'],
  migration: [
    'migrateSingleton()',
    'migrateWithFallbackHandler()',
    'migrateL2Singleton()',
    'migrateL2WithFallbackHandler()',
    'migrateToL2(address l2Singleton)',
    'migrateFromV111(address l2Singleton, address fallbackHandler)',
  ],
}

function isFamily(name: string): name is FunctionFamily {
  return name in families
}

const known = new Map<string, KnownFunction>()
for (const [family, functions] of Object.entries(families)) {
  for (const one of functions) {
    const abi = parseAbiItem(`function ${one}`)
    if (abi.type !== 'function' || !isFamily(family)) continue
    const selector = toFunctionSelector(abi)
    known.set(selector, { family, abi, signature: toFunctionSignature(abi), selector })
  }
}

/** The function that calldata calls, if it is one of those that Countersign knows. */
export function knownFunction(data: Hex): KnownFunction | null {
  return size(data) < 4 ? null : (known.get(slice(data, 0, 4).toLowerCase()) ?? null)
}

/** The arguments of a call, and whether the data is exactly what those arguments encode to. */
export type DecodedArguments = { values: readonly unknown[]; isCanonical: boolean; spareBytes: number }

/** Decodes calldata and encodes it again: whatever a lenient reader would skip makes a difference. */
export function decodeArguments(called: KnownFunction, data: Hex): DecodedArguments | null {
  const body: Hex = size(data) === 4 ? '0x' : slice(data, 4)
  if (called.abi.inputs.length === 0) return { values: [], isCanonical: body === '0x', spareBytes: size(body) }
  try {
    const values = decodeAbiParameters(called.abi.inputs, body)
    const canonical = encodeAbiParameters(called.abi.inputs, values)
    return {
      values,
      isCanonical: canonical === body.toLowerCase(),
      spareBytes: Math.max(0, size(body) - size(canonical)),
    }
  } catch {
    return null
  }
}
