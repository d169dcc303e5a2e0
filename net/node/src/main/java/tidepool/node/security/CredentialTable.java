package tidepool.node.security;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tidepool.wire.tls.Rights;
import tidepool.wire.tls.Token;

/** One version of a credentials file: the known clients, how they authenticate, and their rights. */
final class CredentialTable {
    /** Stands for every pool that is not named. */
    static final String ANY_POOL = "*";

    static final int MAX_TOKENS = 2;

    static final class Client {
        final List<Token> tokens = new ArrayList<>();
        boolean byCertificate;
        final Map<String, Rights> rights;

        Client(Map<String, Rights> rights) {
            this.rights = Map.copyOf(rights);
        }
    }

    private final Map<String, Client> clients;

    CredentialTable(Map<String, Client> clients) {
        this.clients = new HashMap<>(clients);
    }

    /** Returns a client; null if the name is unknown. */
    Client client(String name) {
        return clients.get(name);
    }

    /** Returns the rights of a client to a pool. An entry for the pool overrides the entry for any pool. */
    Rights rights(String name, String pool) {
        Client client = clients.get(name);
        if (client == null) return Rights.NONE;
        Rights named = client.rights.get(pool);
        return named != null ? named : client.rights.getOrDefault(ANY_POOL, Rights.NONE);
    }
}
