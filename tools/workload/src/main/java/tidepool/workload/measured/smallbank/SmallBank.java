package tidepool.workload.measured.smallbank;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tidepool.base.Checks;
import tidepool.schema.AttributeType;
import tidepool.schema.EightByteKeys;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Schema;
import tidepool.store.TableLayout;
import tidepool.workload.measured.CheckFindings;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.RowSink;
import tidepool.workload.measured.RowSource;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.TableSpec;
import tidepool.workload.measured.WorkloadClient;
import tidepool.workload.measured.WorkloadOptions;

/**
 * SmallBank as a measured workload; {@link SmallBankType} has its six transactions. Most of them are on a small hot set
 * of customers. Money is a whole number of cents.
 *
 * <p>With names, as in the original, each transaction begins by looking up its customers in a third table.
 */
public final class SmallBank implements MeasuredWorkload {
    static final int SAVINGS = 0;
    static final int CHECKING = 1;
    static final int NAMES = 2;

    // Entries of the book; the first two are the numbers of the tables whose money changed.
    static final int WRONG = 2;

    /** The initial cents of every account in the artifacts. */
    private static final long PAPER_CENTS = 100_000_000_000L;

    /** With more accounts the sum of all money would overflow. */
    private static final long MAX_ACCOUNTS = 40_000_000;

    static final LongField CENTS = schema("savings", "cents").longField("cents");
    static final LongField CUSTOMER = schema("customers", "customer").longField("customer");

    final long accounts;
    final long hot;
    final int hotShare;
    final boolean names;
    private final boolean paper;

    /**
     * @param accounts number of customers, from 0
     * @param hot number of hot customers, from 0
     * @param hotShare percentage of transactions that choose from the hot customers
     * @param names whether customers are looked up by name
     * @param paper whether all accounts begin with the balance of the artifacts, or with 10,000 to 50,000 dollars
     */
    public SmallBank(long accounts, long hot, int hotShare, boolean names, boolean paper) {
        Checks.argument(
                hot >= 2 && hot <= accounts,
                "hot of smallbank takes 2 to as many as there are accounts (" + accounts + "), not " + hot);
        this.accounts = accounts;
        this.hot = hot;
        this.hotShare = hotShare;
        this.names = names;
        this.paper = paper;
    }

    /** Makes the workload from its options. */
    public static SmallBank of(WorkloadOptions options, Scale scale) {
        boolean paper = scale == Scale.PAPER;
        long accounts = options.number("accounts", paper ? 100_000 : 1_000_000, 2, MAX_ACCOUNTS);
        return new SmallBank(
                accounts,
                options.number("hot", paper ? Math.max(2, accounts / 25) : accounts, 2, MAX_ACCOUNTS),
                (int) options.number("hotshare", 90, 0, 100),
                options.choice("names", paper ? "off" : "on", List.of("on", "off"))
                        .equals("on"),
                paper);
    }

    /** Returns the number of customers, from 0. For other stores that run this workload. */
    public long accounts() {
        return accounts;
    }

    /** Returns the number of hot customers, from 0. */
    public long hot() {
        return hot;
    }

    /** Returns the percentage of transactions that choose from the hot customers. */
    public int hotShare() {
        return hotShare;
    }

    /** Returns whether customers are looked up by name. */
    public boolean names() {
        return names;
    }

    /** Returns a schema. Every update of an account changes its money; names are looked up and not changed. */
    private static Schema schema(String table, String attribute) {
        Schema schema =
                Schema.builder(table).attribute(attribute, AttributeType.LONG).build();
        return schema.withUpdates(table.equals("customers") ? "never" : "1 " + attribute);
    }

    @Override
    public String name() {
        return "smallbank";
    }

    @Override
    public String settings() {
        String chosen = hot == accounts ? "uniform" : hotShare + " % of transactions on " + hot;
        return accounts + " customers, " + chosen + (names ? ", looked up by name" : "");
    }

    @Override
    public List<String> types() {
        return Stream.of(SmallBankType.values()).map(SmallBankType::text).toList();
    }

    @Override
    public List<TableSpec> tables() {
        List<TableSpec> tables = new ArrayList<>();
        tables.add(new TableSpec(schema("savings", "cents"), accounts));
        tables.add(new TableSpec(schema("checking", "cents"), accounts));
        if (names) tables.add(new TableSpec(schema("customers", "customer"), accounts));
        return List.copyOf(tables);
    }

    @Override
    public List<String> books() {
        return List.of("cents in savings", "cents in checking", "accounts missing");
    }

    @Override
    public void load(RowSink rows, int share, int shares) {
        for (long account = share; account < accounts; account += shares) {
            for (int table = SAVINGS; table <= CHECKING; table++) {
                long at = rows.row(table, account);
                CENTS.set(rows.memory(), at, first(table, account));
            }
            if (!names) continue;
            long at = rows.row(NAMES, name(account));
            CUSTOMER.set(rows.memory(), at, account);
        }
    }

    /** Returns the initial balance of an account. */
    private long first(int table, long account) {
        return paper ? PAPER_CENTS : 1_000_000 + Long.remainderUnsigned(EightByteKeys.hash(account, table), 4_000_001);
    }

    /** Returns the name of a customer, as a key. */
    static long name(long account) {
        return EightByteKeys.hash(account);
    }

    @Override
    public WorkloadClient client(List<TableLayout> tables, int number, int clients, long seed) {
        return new SmallBankClient(this, tables, number, seed);
    }

    @Override
    public List<String> check(RowSource rows, long[] book) {
        CheckFindings findings = new CheckFindings();
        checkMoney(rows, SAVINGS, "savings", book[SAVINGS], findings);
        checkMoney(rows, CHECKING, "checking", book[CHECKING], findings);
        for (long account = 0; names && account < accounts; account++) {
            if (!rows.read(NAMES, name(account)) || CUSTOMER.get(rows.memory(), rows.value()) != account)
                findings.add("customer " + account + " cannot be looked up by name");
        }
        findings.same("accounts that committed transactions did not find", 0, book[WRONG]);
        return findings.list();
    }

    private void checkMoney(RowSource rows, int table, String name, long change, CheckFindings findings) {
        long expected = change;
        long found = 0;
        for (long account = 0; account < accounts; account++) {
            expected += first(table, account);
            if (rows.read(table, account)) found += CENTS.get(rows.memory(), rows.value());
            else findings.add("account " + account + " of " + name + " is missing");
        }
        findings.same("cents in " + name, expected, found);
    }
}
