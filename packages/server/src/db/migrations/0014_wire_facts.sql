ALTER TABLE "multisig_transaction" ADD COLUMN "max_fee_per_gas" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "multisig_transaction" ADD COLUMN "max_priority_fee_per_gas" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "multisig_transaction" ADD COLUMN "payment" numeric(78, 0);--> statement-breakpoint
-- Who set no price for gas was refunded nothing; of the others it is not known any more.
UPDATE "multisig_transaction" SET "payment" = 0 WHERE "is_executed" AND "gas_price" = 0;
