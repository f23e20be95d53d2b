/**
 * Names that columns have in the lists of other programs, in the languages of the product: without accents and capital letters,
 * with `_` in the place of spaces.
 */
export const columnNames = {
  type: [
    ...['token_type', 'token_typ', 'tokentyp', 'tipo_de_token', 'type_de_token', 'type_de_jeton'],
    ...['代币类型', '资产类型'],
  ],
  recipient: [
    ...['recipient', 'receiver', 'to', 'address', 'wallet', 'wallet_address', 'recipient_address'],
    ...['empfanger', 'empfaenger', 'empfangeradresse', 'adresse', 'wallet_adresse', 'walletadresse', 'an'],
    ...['destinatario', 'beneficiario', 'direccion', 'cartera', 'billetera', 'monedero', 'para'],
    ...['destinataire', 'beneficiaire', 'adresse_du_destinataire', 'portefeuille'],
    ...['收款方', '收款人', '收款地址', '接收方', '接收人', '接收地址', '钱包', '钱包地址', '地址'],
  ],
  amount: [
    ...['amount', 'value', 'betrag', 'menge', 'summe', 'wert', 'importe', 'cantidad', 'monto', 'valor'],
    ...['montant', 'quantite', 'somme', 'valeur', '金额', '数量', '数额'],
  ],
  asset: [
    ...[
      'asset',
      'token',
      'token_address',
      'symbol',
      'currency',
      'wahrung',
      'waehrung',
      'token_adresse',
      'tokenadresse',
    ],
    ...['activo', 'moneda', 'divisa', 'simbolo', 'direccion_del_token'],
    ...['actif', 'monnaie', 'devise', 'jeton', 'symbole', 'adresse_du_token', 'adresse_du_jeton'],
    ...['资产', '币种', '代币', '货币', '代币地址', '代币符号', '符号'],
  ],
  id: ['id', 'token_id', 'tokenid', '代币编号', '编号'],
} as const
