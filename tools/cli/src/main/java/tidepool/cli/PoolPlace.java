package tidepool.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.protocol.Protocols;
import tidepool.store.StoreException;
import tidepool.zookeeper.ZkUrl;
import tidepool.zookeeper.ZooKeeperMembership;

/** The pool in ZooKeeper on which a command works. */
final class PoolPlace {
    @Parameters(
            index = "0",
            paramLabel = "URL",
            description = "zk://HOST:PORT,…/POOL, with credentials for its nodes as in tcp:// URLs.")
    String text;

    @Spec(Spec.Target.MIXEE)
    CommandSpec spec;

    FabricUrl url() {
        try {
            return FabricUrl.parse(text);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    ZkUrl place(FabricUrl url) {
        LibraryLogs.quiet();
        try {
            return ZkUrl.of(url.without(Protocols.ownParameters()).without(List.of("attempts", "watch")));
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Opens the membership of the pool. Throws a {@link UserError} if that fails. */
    ZooKeeperMembership open() {
        try {
            return ZooKeeperMembership.open(place(url()));
        } catch (FabricException | StoreException e) {
            throw new UserError(e.getMessage());
        }
    }

    /**
     * Returns the URL of the pool with all parameters that were fixed at its creation. Closes the membership if the
     * given URL contradicts them.
     */
    FabricUrl whole(ZooKeeperMembership membership) {
        try {
            return membership.complete(url());
        } catch (FabricException | StoreException e) {
            membership.close();
            throw new UserError(e.getMessage());
        }
    }
}
