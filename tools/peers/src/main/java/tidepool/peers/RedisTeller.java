package tidepool.peers;

import java.nio.charset.StandardCharsets;
import tidepool.bench.smallbank.PipelinedTeller;
import tidepool.workload.measured.smallbank.SmallBankType;

/**
 * SmallBank as one script per transaction, which Redis runs without interruption. An account is a string of 16 bytes
 * under {@code s12} or {@code c12}. Accounts are read by one command and written by one, because each command that a
 * script calls costs as much as the rest of it.
 */
final class RedisTeller implements PipelinedTeller {
    private static final String UNPACK = "struct.unpack('<i8i8',";
    private static final String PACK = "struct.pack('<i8i8',";

    /** Keys: both accounts of a, checking of b. */
    private static final String AMALGAMATE = "local v=redis.call('MGET',KEYS[1],KEYS[2],KEYS[3]) "
            + "local s,m=" + UNPACK + "v[1]) local c,n=" + UNPACK + "v[2]) local t,o=" + UNPACK + "v[3]) "
            + "redis.call('MSET',KEYS[1]," + PACK + "0,m+1),KEYS[2]," + PACK + "0,n+1),KEYS[3]," + PACK + "t+s+c,o+1)) "
            + "return 0";

    /** Keys: both accounts of a. */
    private static final String BALANCE =
            "local v=redis.call('MGET',KEYS[1],KEYS[2]) " + "return (" + UNPACK + "v[1]))+(" + UNPACK + "v[2]))";

    /** Key: one account. Argument: the cents. */
    private static final String ADD = "local c,n=" + UNPACK + "redis.call('GET',KEYS[1])) "
            + "redis.call('SET',KEYS[1]," + PACK + "c+ARGV[1],n+1)) return 0";

    /** Keys: checking of a and of b. Argument: the cents. */
    private static final String SEND = "local v=redis.call('MGET',KEYS[1],KEYS[2]) local p=tonumber(ARGV[1]) "
            + "local c,n=" + UNPACK + "v[1]) if c<p then return 0 end local t,o=" + UNPACK + "v[2]) "
            + "redis.call('MSET',KEYS[1]," + PACK + "c-p,n+1),KEYS[2]," + PACK + "t+p,o+1)) return 1";

    /** Keys: both accounts of a. Arguments: the cents and the penalty. */
    private static final String CHECK = "local v=redis.call('MGET',KEYS[1],KEYS[2]) local p=tonumber(ARGV[1]) "
            + "local c,n=" + UNPACK + "v[2]) if (" + UNPACK + "v[1]))+c<p then p=p+ARGV[2] end "
            + "redis.call('SET',KEYS[2]," + PACK + "c-p,n+1)) return p";

    private static final byte[] EVALSHA = "EVALSHA".getBytes(StandardCharsets.US_ASCII);

    private final RespConnection connection;
    private final int outstanding;
    private final byte[] amalgamate;
    private final byte[] balance;
    private final byte[] add;
    private final byte[] send;
    private final byte[] check;
    private long trips;

    RedisTeller(RespConnection connection, int outstanding) {
        this.connection = connection;
        this.outstanding = outstanding;
        amalgamate = load(AMALGAMATE);
        balance = load(BALANCE);
        add = load(ADD);
        send = load(SEND);
        check = load(CHECK);
    }

    private byte[] load(String script) {
        connection.command(3).word("SCRIPT").word("LOAD").word(script);
        byte[] digest = new byte[40];
        connection.string(digest);
        return digest;
    }

    @Override
    public int outstanding() {
        return outstanding;
    }

    private RespConnection call(byte[] script, int keys, int arguments) {
        return connection
                .command(3 + keys + arguments)
                .word(EVALSHA)
                .word(script)
                .word(keys);
    }

    @Override
    public void postAmalgamate(int a, int b) {
        call(amalgamate, 3, 0).word('s', a).word('c', a).word('c', b);
    }

    @Override
    public void postBalance(int a) {
        call(balance, 2, 0).word('s', a).word('c', a);
    }

    @Override
    public void postDepositChecking(int a, long cents) {
        call(add, 1, 1).word('c', a).word(cents);
    }

    @Override
    public void postSendPayment(int a, int b, long cents) {
        call(send, 2, 1).word('c', a).word('c', b).word(cents);
    }

    @Override
    public void postTransactSavings(int a, long cents) {
        call(add, 1, 1).word('s', a).word(cents);
    }

    @Override
    public void postWriteCheck(int a, long cents) {
        call(check, 2, 2).word('s', a).word('c', a).word(cents).word(SmallBankType.PENALTY_CENTS);
    }

    @Override
    public long take() {
        trips++;
        return connection.number();
    }

    @Override
    public long aborts() {
        return 0;
    }

    @Override
    public long roundTrips() {
        return trips;
    }
}
