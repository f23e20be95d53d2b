CREATE TABLE "payment" (
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"payee" "bytea" NOT NULL,
	"safe_tx_hash" "bytea" NOT NULL,
	CONSTRAINT "payment_chain_id_safe_address_payee_safe_tx_hash_pk" PRIMARY KEY("chain_id","safe_address","payee","safe_tx_hash")
);
--> statement-breakpoint
ALTER TABLE "multisig_transaction" ADD COLUMN "has_payments" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payment" ADD CONSTRAINT "payment_chain_id_safe_tx_hash_multisig_transaction_chain_id_safe_tx_hash_fk" FOREIGN KEY ("chain_id","safe_tx_hash") REFERENCES "public"."multisig_transaction"("chain_id","safe_tx_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_transaction" ON "payment" USING btree ("chain_id","safe_tx_hash");--> statement-breakpoint
CREATE INDEX "multisig_transaction_unread_payments" ON "multisig_transaction" USING btree ("chain_id","safe_tx_hash") WHERE "multisig_transaction"."is_executed" and not "multisig_transaction"."has_payments";