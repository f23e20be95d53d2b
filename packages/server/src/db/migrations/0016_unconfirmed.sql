DROP INDEX "multisig_transaction_list";--> statement-breakpoint
ALTER TABLE "multisig_transaction" ADD COLUMN "is_confirmed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "multisig_transaction" t SET "is_confirmed" = true WHERE t."is_executed" AND EXISTS (
  SELECT FROM "confirmation" c WHERE c."chain_id" = t."chain_id" AND c."safe_tx_hash" = t."safe_tx_hash");--> statement-breakpoint
CREATE INDEX "multisig_transaction_unconfirmed" ON "multisig_transaction" USING btree ("chain_id","safe_address") WHERE "multisig_transaction"."is_executed" and not "multisig_transaction"."is_confirmed";--> statement-breakpoint
CREATE INDEX "multisig_transaction_list" ON "multisig_transaction" USING btree ("chain_id","safe_address","nonce" DESC NULLS LAST,"submission_date" DESC NULLS LAST,"safe_tx_hash","is_executed","is_trusted");