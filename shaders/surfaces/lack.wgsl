fn certificate_at(i: u32) -> Certificate {
    return certificate_of(motion_of(surface_contacts.list[i].vertices, surface_contacts.list[i].edges == 1u));
}

fn lacks(i: u32) -> bool {
    return lack_of(certificate_at(i), FLOOR * surface_contacts.list[i].distance) > 0.0;
}
