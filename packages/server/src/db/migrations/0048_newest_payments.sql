ALTER TABLE "payment" ADD COLUMN "nonce" numeric(78, 0);--> statement-breakpoint
UPDATE "payment" SET "nonce" = t."nonce" FROM "multisig_transaction" t WHERE t."chain_id" = "payment"."chain_id" AND t."safe_tx_hash" = "payment"."safe_tx_hash";--> statement-breakpoint
ALTER TABLE "payment" ALTER COLUMN "nonce" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "payment_newest" ON "payment" USING btree ("chain_id","safe_address","payee","nonce");
