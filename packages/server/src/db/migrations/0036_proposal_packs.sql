CREATE TABLE "proposal_pack" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"safe_tx_hash" "bytea" NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"author" "bytea" NOT NULL,
	"pack_hash" "bytea" NOT NULL,
	"text" text NOT NULL,
	"attached_at" timestamp with time zone NOT NULL,
	CONSTRAINT "proposal_pack_once" UNIQUE("chain_id","safe_tx_hash","author","pack_hash")
);
--> statement-breakpoint
ALTER TABLE "proposal_pack" ADD CONSTRAINT "proposal_pack_chain_id_safe_tx_hash_multisig_transaction_chain_id_safe_tx_hash_fk" FOREIGN KEY ("chain_id","safe_tx_hash") REFERENCES "public"."multisig_transaction"("chain_id","safe_tx_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "proposal_pack_safe" ON "proposal_pack" USING btree ("chain_id","safe_address","author");--> statement-breakpoint
CREATE INDEX "proposal_pack_author" ON "proposal_pack" USING btree ("author");