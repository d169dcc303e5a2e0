package tidepool.tcp;

import tidepool.fabric.Fabric;
import tidepool.fabric.FabricProvider;
import tidepool.fabric.FabricUrl;

/** Opens {@code tcp://host:port,host:port/pool}. */
public final class TcpProvider implements FabricProvider {
    /** For {@link java.util.ServiceLoader}. */
    public TcpProvider() {}

    @Override
    public String scheme() {
        return "tcp";
    }

    @Override
    public Fabric open(FabricUrl url) {
        ClientCredentials mine = ClientCredentials.of(url);
        TcpUrl target = TcpUrl.of(url);
        return new TcpFabric(target, new Dialer(target, mine));
    }
}
