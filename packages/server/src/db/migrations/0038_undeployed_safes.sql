CREATE TABLE "safe_creation" (
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"factory" "bytea" NOT NULL,
	"data" "bytea" NOT NULL,
	"kept_by" "bytea" NOT NULL,
	"kept_at" timestamp with time zone NOT NULL,
	CONSTRAINT "safe_creation_chain_id_safe_address_pk" PRIMARY KEY("chain_id","safe_address")
);
--> statement-breakpoint
ALTER TABLE "safe" ADD COLUMN "is_deployed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "safe_creation" ADD CONSTRAINT "safe_creation_chain_id_safe_address_safe_chain_id_address_fk" FOREIGN KEY ("chain_id","safe_address") REFERENCES "public"."safe"("chain_id","address") ON DELETE no action ON UPDATE no action;